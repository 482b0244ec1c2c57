// __libc_start_main@GLIBC_2.34 is the one symbol that every program built on a newer glibc refers to, from crt1.o. It
// differs from the old version in who runs the constructors: up to 2.33 crt1.o passed a function (__libc_csu_init,
// linked in from libc_nonshared.a) that did; since then it passes null and libc walks the program's own init array. A
// newer libc still runs a passed function, and then leaves the array alone (csu/libc-start.c: "a legacy program which
// supplied its own init routine"). So passing one runs the constructors exactly once on either version.
#include <features.h>

#if defined(__x86_64__)
#define GPUMARK_START_VERSION "GLIBC_2.2.5"
#else
#define GPUMARK_START_VERSION "GLIBC_2.17"
#endif

extern "C" {

using Main = int(int, char**, char**);
using Initialiser = void(int, char**, char**);

__attribute__((visibility("hidden"))) extern Initialiser* const __init_array_start[];
__attribute__((visibility("hidden"))) extern Initialiser* const __init_array_end[];
void _init();

int gpumark_old_start_main(Main* main, int argc, char** argv, Initialiser* init, void (*fini)(), void (*loader_fini)(),
                           void* stack_end);
__asm__(".symver gpumark_old_start_main, __libc_start_main@" GPUMARK_START_VERSION);

/** What __libc_csu_init did. The loader runs the preinit array and, at the end, the fini array itself. */
static void run_constructors(int argc, char** argv, char** environment) {
  _init();
  for (Initialiser* const* at = __init_array_start; at != __init_array_end; ++at) (*at)(argc, argv, environment);
}

/** Called by crt1.o instead of __libc_start_main. A crt1.o older than 2.34 passes its own `init`, which is kept. */
int __wrap___libc_start_main(Main* main, int argc, char** argv, Initialiser* init, void (*fini)(),
                             void (*loader_fini)(), void* stack_end) {
  return gpumark_old_start_main(main, argc, argv, init ? init : run_constructors, fini, loader_fini, stack_end);
}

}  // extern "C"
