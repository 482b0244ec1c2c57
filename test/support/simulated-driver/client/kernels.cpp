// Runs kernels of the real images on the simulated device and compares the results with what the host computes.
#include <cmath>
#include <cstring>

#include "client/client.h"
#include "random-words.h"

namespace client {
namespace {

using namespace gpumark::device;

template <class Pointer>
Pointer at(gpumark::DevicePointer address) {
  return reinterpret_cast<Pointer>(address);
}

constexpr u64 kBytes = kTileBytes * 16;
constexpr u64 kCount = kBytes / 8;

void check_triad(const Driver& driver, gpumark::Handle module) {
  const auto a = driver.allocate(kBytes), b = driver.allocate(kBytes), c = driver.allocate(kBytes),
             wrong = driver.allocate(8);
  const auto fill = driver.function(module, "gpumark_fill"), triad = driver.function(module, "gpumark_triad"),
             check = driver.function(module, "gpumark_check");
  // Fewer blocks than tiles: a block processes several tiles.
  constexpr unsigned kBlocks = 3;
  CHECK_OK(driver.launch(fill, FillArgs{at<double*>(b), kCount, 7, 1, kBlocks}, kBlocks, nullptr));
  CHECK_OK(driver.launch(fill, FillArgs{at<double*>(c), kCount, 8, 1, kBlocks}, kBlocks, nullptr));
  CHECK_OK(driver.launch(
      triad, TriadArgs{at<double*>(a), at<const double*>(b), at<const double*>(c), 3.0, kBytes / kVectorBytes, kBlocks},
      kBlocks, nullptr));
  const auto count_wrong = [&] {
    u64 found = 0;
    CHECK_OK(driver.call.fill_bytes(wrong, 0, 8, nullptr));
    CHECK_OK(driver.launch(check, CheckArgs{at<const double*>(a), kCount, 7, 3.0, at<u64*>(wrong), 1, kBlocks}, kBlocks,
                           nullptr));
    driver.fetch(&found, wrong, 8);
    return found;
  };
  CHECK(count_wrong() == 0);
  double element = 0;
  driver.fetch(&element, a + 8 * 12345, 8);
  CHECK(element == gpumark::random_dyadic(7, 12345) + 3 * gpumark::random_dyadic(8, 12345));
  const double other = element + 1;
  CHECK_OK(driver.call.copy_to_device(a + 8 * 12345, &other, 8, nullptr));
  CHECK(count_wrong() == 1);
}

/** Each thread computes chains of x = fma(factor, addend, x) and sums them in order. */
void check_fma(const Driver& driver, gpumark::Handle module) {
  constexpr unsigned kBlocks = 2;
  constexpr u32 kRounds = 5;
  const auto out = driver.allocate(kBlocks * kBlockThreads * 8), clocks = driver.allocate(kBlocks * 16);
  const auto fp64 = driver.function(module, "gpumark_fma_fp64");
  CHECK_OK(
      driver.launch(fp64, FmaArgs{at<void*>(out), 0.5, 0.25, at<u64*>(clocks), kRounds, kBlocks}, kBlocks, nullptr));
  std::vector<double> results(kBlocks * kBlockThreads);
  std::vector<u64> times(2 * kBlocks);
  driver.fetch(results.data(), out, 8 * results.size());
  driver.fetch(times.data(), clocks, 8 * times.size());
  for (u64 thread = 0; thread < results.size(); ++thread) {
    double total = 0;
    for (u32 chain = 0; chain < kFmaChains; ++chain) {
      double x = gpumark::random_dyadic(thread, chain);
      for (u64 step = 0; step < kRounds * kFmaSteps; ++step) x = std::fma(0.5, 0.25, x);
      total = chain == 0 ? x : total + x;
    }
    CHECK(results[thread] == total);
  }
  // The core clock is 1 GHz; the timer is 1 GHz on NVIDIA and 100 MHz on AMD.
  for (unsigned block = 0; block < kBlocks; ++block) CHECK(times[2 * block] > 0 && times[2 * block] < 1000000000);
}

void check_chase(const Driver& driver, gpumark::Handle module) {
  constexpr u64 kLines = 1024;
  const auto chain = driver.allocate(kLines * kLineWords * 8), result = driver.allocate(24);
  CHECK_OK(
      driver.launch(driver.function(module, "gpumark_chain"), ChainArgs{at<u64*>(chain), kLines, 5, 3, 2}, 2, nullptr));
  CHECK_OK(driver.launch(driver.function(module, "gpumark_chase"),
                         ChaseArgs{at<const u64*>(chain), 9, 100, at<u64*>(result)}, 1, nullptr));
  u64 found[3];
  driver.fetch(found, result, sizeof found);
  u64 line = 9;
  for (int step = 0; step < 100; ++step) line = (5 * line + 3) % kLines;
  // The two clocks are read one after the other, and the thread may lose its core in between: neither limits the other.
  CHECK(found[0] == line && found[1] > 0 && found[1] < 1000000000 && found[2] < 1000000000);
}

}  // namespace

void check_kernels(const Driver& driver) {
  driver.open();
  const auto module = driver.load(driver.default_image());
  gpumark::Handle none = nullptr;
  CHECK_CODE(driver.call.module_function(&none, module, "gpumark_nothing"), 500);
  check_triad(driver, module);
  check_fma(driver, module);
  check_chase(driver, module);
  // A number of threads for which the kernels are not compiled, and an empty grid.
  const auto empty = driver.function(module, "gpumark_empty");
  EmptyArgs arguments{0};
  void* pointers[] = {&arguments};
  CHECK_CODE(driver.call.launch(empty, 1, 1, 1, 512, 1, 1, 0, nullptr, pointers, nullptr), 701);
  CHECK_CODE(driver.launch(empty, arguments, 0, nullptr), 1);
  CHECK_OK(driver.call.module_unload(module));
  CHECK_CODE(driver.launch(empty, arguments, 1, nullptr), 400);
}

/** Prints in how many bits two runs of gpumark_repeat differ: 2 with the fault "flip-bit" for it, else 0. */
void check_flips(const Driver& driver) {
  driver.open();
  const auto module = driver.load(driver.default_image());
  const auto repeat = driver.function(module, "gpumark_repeat");
  constexpr u64 kNumbers = 4096;
  const auto in = driver.allocate(8 * kNumbers), out = driver.allocate(8 * kNumbers);
  CHECK_OK(
      driver.launch(driver.function(module, "gpumark_fill"), FillArgs{at<double*>(in), kNumbers, 1, 1, 2}, 2, nullptr));
  std::vector<std::vector<u64>> runs(2, std::vector<u64>(kNumbers));
  for (auto& run : runs) {
    CHECK_OK(driver.launch(repeat, RepeatArgs{at<const double*>(in), at<double*>(out), kNumbers, 10, 2}, 2, nullptr));
    driver.fetch(run.data(), out, 8 * kNumbers);
  }
  u64 bits = 0;
  for (u64 i = 0; i < kNumbers; ++i) bits += static_cast<u64>(__builtin_popcountll(runs[0][i] ^ runs[1][i]));
  std::printf("differing bits %llu\n", bits);
}

}  // namespace client
