// Peer for the triad: the loop of the STREAM rules, compiled with -O3 -march=native -fopenmp; one pass per line read
// from stdin, GB/s on stdout. Not McCalpin's program, so it is not called STREAM. Argument: bytes per array.
#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const long n = std::atol(argv[1]) / 8;
  auto* a = static_cast<double*>(std::aligned_alloc(64, static_cast<std::size_t>(n) * 8));
  auto* b = static_cast<double*>(std::aligned_alloc(64, static_cast<std::size_t>(n) * 8));
  auto* c = static_cast<double*>(std::aligned_alloc(64, static_cast<std::size_t>(n) * 8));
  if (!a || !b || !c) return 3;
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    a[i] = 1;
    b[i] = 2;
    c[i] = 0.5;
  }
  std::printf("ready\n");
  std::fflush(stdout);
  for (char line[16]; std::fgets(line, sizeof line, stdin);) {
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel for
    for (long i = 0; i < n; ++i) a[i] = b[i] + 3.0 * c[i];
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    // Use the result, or the loop above would be dead code.
    if (a[n / 2] != 3.5) return 6;
    std::printf("%.4f\n", static_cast<double>(n) * 24 / seconds * 1e-9);
    std::fflush(stdout);
  }
}
