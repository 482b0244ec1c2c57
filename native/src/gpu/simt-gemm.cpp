#include "gpu/simt-gemm.h"

#include <cmath>

#include "gpu/grid-choice.h"
#include "random-words.h"

namespace gpumark {
namespace {

constexpr unsigned kLargest = 8192;
constexpr unsigned kSmallest = 256;
/** One product takes no longer than this; a device that needs longer for 8192 gets a smaller one. */
constexpr double kMostSeconds = 0.2;
constexpr double kSampleSeconds = 5e-3;
constexpr unsigned kCheckedElements = 256;

/** One chain of multiply-adds in the order of k, rounded after each as the device does. */
template <class Number>
Number chain(const RunOptions& options, unsigned n, unsigned row, unsigned column) {
  Number sum = 0;
  for (std::uint64_t k = 0; options.random_data && k < n; ++k) {
    const auto a = static_cast<Number>(random_normal(options.seed, std::uint64_t{row} * n + k));
    const auto b = static_cast<Number>(random_normal(options.seed + 1, k * n + column));
    sum = std::fma(a, b, sum);
  }
  return sum;
}

template <class Number>
bool element_is(const GpuMemory& c, const RunOptions& options, unsigned n, unsigned row, unsigned column) {
  return c.read<Number>(1, std::size_t{row} * n + column)[0] == chain<Number>(options, n, row, column);
}

}  // namespace

SimtGemm::SimtGemm(GpuRun& run, GemmNumber number) : run_(run), gpu_(run.gpu), number_(number) {
  const std::size_t limit = run.memory_limit();
  const auto fits = [&](unsigned n) { return 3 * std::size_t{n} * n * number_bytes() <= limit; };
  if (!fits(kSmallest)) return;
  unsigned n = kSmallest;
  prepare(n);
  seconds_of(1);
  // Doubling n makes eight times the work: go on while the next size is expected to stay within its time.
  for (double one = seconds_of(1); n < kLargest && fits(2 * n) && 8 * one <= kMostSeconds; one = seconds_of(1)) prepare(n *= 2);
  launches_ = launches_for(kSampleSeconds, seconds_of(1));
}

SimtGemm::SimtGemm(GpuRun& run, GemmNumber number, unsigned n) : run_(run), gpu_(run.gpu), number_(number) { prepare(n); }

const char* SimtGemm::kernel() const { return number_ == GemmNumber::fp32 ? "gpumark_sgemm" : "gpumark_dgemm"; }

void SimtGemm::prepare(unsigned n) {
  n_ = n;
  a_.reset();
  b_.reset();
  c_.reset();
  a_ = std::make_unique<GpuMemory>(gpu_, bytes());
  b_ = std::make_unique<GpuMemory>(gpu_, bytes());
  c_ = std::make_unique<GpuMemory>(gpu_, bytes());
  const char* fill = number_ == GemmNumber::fp32 ? "gpumark_fill_fp32" : "gpumark_fill_fp64";
  const unsigned blocks = helper_blocks(gpu_);
  const std::uint64_t seed = run_.options.seed;
  const device::u64 count = device::u64{n} * n;
  gpu_.launch(fill, blocks, device::FillArgs{a_->as<double>(), count, seed, run_.options.random_data ? 1u : 0u, blocks});
  gpu_.launch(fill, blocks, device::FillArgs{b_->as<double>(), count, seed + 1, run_.options.random_data ? 1u : 0u, blocks});
  c_->poison();
  gpu_.wait();
}

void SimtGemm::multiply() {
  const unsigned tiles = n_ / tile();
  gpu_.launch(kernel(), tiles * tiles, device::GemmArgs{c_->as<void>(), a_->as<void>(), b_->as<void>(), n_});
}

double SimtGemm::seconds_of(int launches) {
  return gpu_.timed([&] {
    for (int i = 0; i < launches; ++i) multiply();
  }) / launches;
}

double SimtGemm::sample() { return 2.0 * n_ * n_ * n_ / seconds_of(launches_) * 1e-12; }

std::uint64_t SimtGemm::count_wrong_elements() {
  const GpuMemory wrong(gpu_, 256);
  wrong.clear();
  const unsigned blocks = gpu_.blocks(32);
  gpu_.launch(number_ == GemmNumber::fp32 ? "gpumark_sgemm_check" : "gpumark_dgemm_check", blocks,
              device::GemmCheckArgs{c_->as<void>(), a_->as<void>(), b_->as<void>(), n_, wrong.as<device::u64>(), blocks});
  return wrong.read<std::uint64_t>(1)[0];
}

bool SimtGemm::host_agrees_on_some() {
  for (unsigned i = 0; i < kCheckedElements; ++i) {
    const auto row = static_cast<unsigned>(random_word(i, 1) % n_), column = static_cast<unsigned>(random_word(i, 2) % n_);
    const bool same = number_ == GemmNumber::fp32 ? element_is<float>(*c_, run_.options, n_, row, column) : element_is<double>(*c_, run_.options, n_, row, column);
    if (!same) return false;
  }
  return true;
}

SimtGemm::Verdict SimtGemm::verify(const char* benchmark) {
  Verdict verdict;
  c_->poison();
  multiply();
  const std::uint64_t first = checksum(gpu_, *c_);
  c_->poison();
  multiply();
  spoil_device_output(benchmark, gpu_, *c_);
  verdict.repeats = checksum(gpu_, *c_) == first;
  const std::uint64_t wrong = count_wrong_elements();
  const bool host = host_agrees_on_some();
  verdict.right = wrong == 0 && host;
  verdict.details.text("method", "every element equals one chain of multiply-adds in the order of k, bit for bit, by another kernel; some also by the host");
  verdict.details.integer("elements_wrong", static_cast<std::int64_t>(wrong)).integer("elements_by_host", kCheckedElements).boolean("host_agrees", host);
  return verdict;
}

bool SimtGemm::is_right(GpuRun& run, GemmNumber number) {
  SimtGemm gemm(run, number, kSmallest);
  return gemm.verify(number == GemmNumber::fp32 ? "gemm_fp32" : "gemm_fp64").right;
}

}  // namespace gpumark
