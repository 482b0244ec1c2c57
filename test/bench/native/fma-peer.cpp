// Peer for the multiply-add probe on a processor whose rate is not in the table: chains in vector registers as the compiler
// arranges them (-O3 -march=native -fopenmp -ffp-contract=fast), none of ours. One slice on all cores per line read from
// stdin, GFLOP/s on stdout. Argument: lanes of fp32.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>

namespace {

constexpr int kChains = 12;
constexpr long kRounds = 400000;

template <int lanes>
float run_chains(float start, long rounds) {
  typedef float Vector __attribute__((vector_size(lanes * 4)));
  Vector x[kChains], factor = Vector{} + 0.9999f, addend = Vector{} + 0.5f;
  for (int i = 0; i < kChains; ++i) x[i] = Vector{} + start * static_cast<float>(i + 1);
  for (long round = 0; round < rounds; ++round) {
    for (int i = 0; i < kChains; ++i) x[i] = x[i] * factor + addend;
  }
  for (int i = 1; i < kChains; ++i) x[0] += x[i];
  float numbers[lanes], sum = 0;
  std::memcpy(numbers, &x[0], sizeof numbers);
  for (const float number : numbers) sum += number;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int lanes = argc == 2 ? std::atoi(argv[1]) : 0;
  const auto run = lanes == 4 ? run_chains<4> : lanes == 8 ? run_chains<8> : lanes == 16 ? run_chains<16> : nullptr;
  if (!run) return 2;
  std::printf("ready\n");
  std::fflush(stdout);
  for (char line[16]; std::fgets(line, sizeof line, stdin);) {
    double sum = 0;
    int threads = 1;
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel reduction(+ : sum)
    {
      sum += run(1.0f + static_cast<float>(omp_get_thread_num()), kRounds);
#pragma omp single nowait
      threads = omp_get_num_threads();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    // 12 chains in each lane go to 0.5 / (1 - 0.9999) = 5000.
    const double limit = 5000.0 * kChains * lanes * threads;
    if (!(sum > 0.9 * limit && sum < 1.1 * limit)) return 6;
    std::printf("%.4f\n", 2.0 * lanes * kChains * kRounds * threads / seconds * 1e-9);
    std::fflush(stdout);
  }
}
