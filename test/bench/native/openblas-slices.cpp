// Peer for SGEMM: one cblas_sgemm per line read from stdin, GFLOP/s on stdout. Arguments: library, n, threads.
// The library is loaded at run time, so that this builds without it; OPENBLAS_CORETYPE selects its core type.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>

#include "measure/random.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 3;
  }
  const auto sgemm = reinterpret_cast<void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int)>(dlsym(library, "cblas_sgemm"));
  const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  const auto core_name = reinterpret_cast<char* (*)()>(dlsym(library, "openblas_get_corename"));
  if (!sgemm || !set_threads || !core_name) return 3;
  set_threads(std::atoi(argv[3]));
  const int n = std::atoi(argv[2]);
  const auto elements = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const std::size_t huge_page = std::size_t{2} << 20;
  float* matrix[3];
  for (float*& m : matrix) {
    // Huge pages here too: the comparison is about kernels, not page tables.
    m = static_cast<float*>(std::aligned_alloc(huge_page, (elements * 4 / huge_page + 1) * huge_page));
    madvise(m, elements * 4, MADV_HUGEPAGE);
    for (std::size_t i = 0; i < elements; ++i) m[i] = static_cast<float>(gpumark::random_normal(1, i));
  }
  std::printf("%s\n", core_name());
  std::fflush(stdout);
  for (char line[16]; std::fgets(line, sizeof line, stdin);) {
    std::memset(matrix[2], 0xff, elements * 4);
    const auto start = std::chrono::steady_clock::now();
    // Row-major (101), no transposes (111), beta 0: C need not be read.
    sgemm(101, 111, 111, n, n, n, 1.0f, matrix[0], n, matrix[1], n, 0.0f, matrix[2], n);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%.4f\n", 2.0 * n * n * n / seconds * 1e-9);
    std::fflush(stdout);
  }
}
