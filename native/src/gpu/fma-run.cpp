#include "gpu/fma-run.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/grid-choice.h"
#include "gpu/vendor.h"
#include "half-words.h"
#include "random-words.h"

namespace gpumark {
namespace {

/**
 * Constants of each step: the values keep changing and stay finite over any number of rounds. Both are exact in fp16.
 */
constexpr double kFactor = -0.99951171875;  // -(1 - 2^-11)
constexpr double kAddend = 0.5;
constexpr unsigned kMaxBlocksPerMultiprocessor = 8;
/** 8.6e9 multiply-adds of a thread: seconds on any device, and far below what the kernel's 32-bit counter holds. */
constexpr std::uint32_t kMostRounds = 1u << 24;

/** The chains of one thread, computed on the host; start(i) is the i-th start value. */
template <class Number, class Start, class Step, class Sum>
Number host_chains(std::uint64_t steps, int width, int lane, Start start, Step step, Sum sum) {
  Number total{};
  for (int chain = 0; chain < static_cast<int>(device::kFmaChains); ++chain) {
    Number x = start(static_cast<std::uint64_t>(chain * width + lane));
    for (std::uint64_t i = 0; i < steps; ++i) x = step(x);
    total = chain == 0 ? x : sum(total, x);
  }
  return total;
}

template <class Number>
Number host_float(std::uint64_t thread, std::uint64_t steps, int width, int lane) {
  const auto factor = static_cast<Number>(kFactor), addend = static_cast<Number>(kAddend);
  return host_chains<Number>(
      steps, width, lane, [&](std::uint64_t i) { return static_cast<Number>(random_dyadic(thread, i)); },
      [&](Number x) { return std::fma(factor, addend, x); }, [](Number x, Number y) { return x + y; });
}

unsigned short host_half(std::uint64_t thread, std::uint64_t steps, int width, int lane) {
  const unsigned short factor = half_of(kFactor), addend = half_of(kAddend);
  return host_chains<unsigned short>(
      steps, width, lane, [&](std::uint64_t i) { return half_of(random_dyadic(thread, i)); },
      [&](unsigned short x) { return half_multiply_add(factor, addend, x); }, half_sum);
}

}  // namespace

FmaRun::FmaRun(GpuRun& run, const FmaKernelSpec& kernel)
    : run_(run),
      gpu_(run.gpu),
      kernel_(kernel),
      out_(gpu_, std::size_t{gpu_.blocks(kMaxBlocksPerMultiprocessor)} * device::kBlockThreads * kernel.number_bytes *
                     static_cast<std::size_t>(kernel.width)),
      clocks_(gpu_, gpu_.blocks(kMaxBlocksPerMultiprocessor)),
      blocks_(gpu_.blocks(4)) {}

double FmaRun::launch(unsigned blocks, std::uint32_t rounds) {
  const device::FmaArgs args{out_.as<void>(), kFactor, kAddend, clocks_.address(), rounds ? rounds : rounds_, blocks};
  return gpu_.timed([&] { gpu_.launch(kernel_.name, blocks, args); });
}

void FmaRun::calibrate(double seconds) {
  double one = launch(blocks_);
  // Double first: a launch of a few microseconds does not show the rate.
  while (one < seconds / 4 && rounds_ < kMostRounds) {
    rounds_ *= one < seconds / 64 ? 8 : 2;
    one = launch(blocks_);
  }
  const GridChoice grid = choose_grid({gpu_.blocks(2), gpu_.blocks(4), gpu_.blocks(kMaxBlocksPerMultiprocessor)},
                                      [&](unsigned blocks) { return launch(blocks) / blocks; });
  blocks_ = grid.blocks;
  rounds_ = static_cast<std::uint32_t>(
      std::clamp(static_cast<double>(rounds_) * seconds / (grid.seconds * grid.blocks), 1.0, double{kMostRounds}));
}

double FmaRun::flops(unsigned blocks, std::uint32_t rounds) const {
  return 2.0 * kernel_.width * static_cast<double>(device::kFmaChains * device::kFmaSteps) *
         static_cast<double>(rounds) * blocks * device::kBlockThreads;
}

double FmaRun::sample() { return flops(blocks_, rounds_) / launch(blocks_) * 1e-12; }

bool FmaRun::right() {
  constexpr std::uint32_t kRounds = 5;
  const unsigned blocks = 4;
  gpu_.check(gpu_.call().fill_bytes(out_.address(), 0xff, out_.bytes(), gpu_.stream()), "poisoning an output");
  launch(blocks, kRounds);
  spoil_device_output("fma", gpu_, out_);
  const std::size_t number = kernel_.number_bytes, width = static_cast<std::size_t>(kernel_.width);
  const std::vector<unsigned char> out =
      out_.read<unsigned char>(std::size_t{blocks} * device::kBlockThreads * number * width);
  for (std::size_t i = 0; i < out.size() / number; ++i) {
    const std::uint64_t thread = i / width, steps = std::uint64_t{kRounds} * device::kFmaSteps;
    const int lane = static_cast<int>(i % width);
    const float f32 = host_float<float>(thread, number == 4 ? steps : 0, kernel_.width, lane);
    const double f64 = host_float<double>(thread, number == 8 ? steps : 0, kernel_.width, lane);
    const unsigned short f16 = host_half(thread, number == 2 ? steps : 0, kernel_.width, lane);
    const void* expected = number == 4   ? static_cast<const void*>(&f32)
                           : number == 8 ? static_cast<const void*>(&f64)
                                         : static_cast<const void*>(&f16);
    if (std::memcmp(&out[i * number], expected, number) != 0) return false;
  }
  return true;
}

}  // namespace gpumark
