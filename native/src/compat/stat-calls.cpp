// Before glibc 2.33 stat and its kin were inline wrappers of __xstat and its kin, which newer glibcs keep for programs
// built then. libstdc++.a refers to the new names; here they are defined for every caller (ld --wrap, see
// native/Makefile). The first argument says which struct stat: the one of 64-bit Linux has the number 1 on x86-64 and 0
// on aarch64 (bits/stat.h up to 2.32), where the 64 variants are the same.
#include <sys/stat.h>

#if defined(__x86_64__)
#define GPUMARK_STAT_VERSION "GLIBC_2.2.5"
#define GPUMARK_STATAT_VERSION "GLIBC_2.4"
constexpr int kStatLayout = 1;
#else
#define GPUMARK_STAT_VERSION "GLIBC_2.17"
#define GPUMARK_STATAT_VERSION "GLIBC_2.17"
constexpr int kStatLayout = 0;
#endif

extern "C" {

int gpumark_old_stat(int layout, const char* path, void* out);
int gpumark_old_lstat(int layout, const char* path, void* out);
int gpumark_old_fstat(int layout, int file, void* out);
int gpumark_old_fstatat(int layout, int folder, const char* path, void* out, int flags);
__asm__(".symver gpumark_old_stat, __xstat64@" GPUMARK_STAT_VERSION);
__asm__(".symver gpumark_old_lstat, __lxstat64@" GPUMARK_STAT_VERSION);
__asm__(".symver gpumark_old_fstat, __fxstat64@" GPUMARK_STAT_VERSION);
__asm__(".symver gpumark_old_fstatat, __fxstatat64@" GPUMARK_STATAT_VERSION);

int __wrap_stat(const char* path, void* out) { return gpumark_old_stat(kStatLayout, path, out); }
int __wrap_stat64(const char* path, void* out) { return gpumark_old_stat(kStatLayout, path, out); }
int __wrap_lstat(const char* path, void* out) { return gpumark_old_lstat(kStatLayout, path, out); }
int __wrap_lstat64(const char* path, void* out) { return gpumark_old_lstat(kStatLayout, path, out); }
int __wrap_fstat(int file, void* out) { return gpumark_old_fstat(kStatLayout, file, out); }
int __wrap_fstat64(int file, void* out) { return gpumark_old_fstat(kStatLayout, file, out); }
int __wrap_fstatat(int folder, const char* path, void* out, int flags) {
  return gpumark_old_fstatat(kStatLayout, folder, path, out, flags);
}
int __wrap_fstatat64(int folder, const char* path, void* out, int flags) {
  return gpumark_old_fstatat(kStatLayout, folder, path, out, flags);
}

}  // extern "C"
