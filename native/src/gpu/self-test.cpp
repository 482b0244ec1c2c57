// Compares every kernel on small inputs with the host's arithmetic.
#include <cmath>

#include "gpu/fma-run.h"
#include "gpu/gemm/gemm-engine.h"
#include "gpu/gpu-benchmark.h"
#include "gpu/found-differences.h"
#include "gpu/gpu-check.h"
#include "random-words.h"

namespace gpumark {
namespace {

constexpr std::size_t kBytes = 4 * device::kTileBytes;
constexpr std::size_t kCount = kBytes / sizeof(double);
constexpr std::uint64_t kSeed = 77;

class KernelCheck {
 public:
  explicit KernelCheck(GpuRun& run)
      : run_(run),
        gpu_(run.gpu),
        a_(gpu_, kBytes),
        b_(gpu_, kBytes),
        c_(gpu_, kBytes),
        partials_(gpu_, std::size_t{gpu_.blocks(8)} * device::kBlockThreads * 8) {}

  std::vector<std::string> run() {
    check_fill();
    check_streams();
    check_sums();
    check_detection();
    check_chain();
    check_march();
    for (const FmaKernelSpec* kernel : {&kFmaFp32, &kFmaFp32Packed, &kFmaFp64, &kFmaFp16})
      expect(FmaRun(run_, *kernel).right(), kernel->name);
    check_products();
    return wrong_;
  }

 private:
  void expect(bool right, const std::string& kernel) {
    if (!right) wrong_.push_back(kernel);
  }
  void check_fill() {
    fill(gpu_, b_, kSeed, true);
    fill(gpu_, c_, kSeed + 1, true);
    bool right = true;
    const std::vector<double> b = b_.read<double>(kCount), c = c_.read<double>(kCount);
    for (std::size_t i = 0; i < kCount; ++i)
      right = right && b[i] == random_dyadic(kSeed, i) && c[i] == random_dyadic(kSeed + 1, i);
    expect(right, "gpumark_fill");
  }
  void check_streams() {
    constexpr device::u64 vectors = kBytes / device::kVectorBytes;
    for (const unsigned blocks : {1u, 3u, 8u}) {
      a_.poison();
      gpu_.launch("gpumark_triad", blocks,
                  device::TriadArgs{a_.as<double>(), b_.as<double>(), c_.as<double>(), 3, vectors, blocks});
      const std::vector<double> triad = a_.read<double>(kCount);
      bool right = true;
      for (std::size_t i = 0; i < kCount; ++i)
        right = right && triad[i] == random_dyadic(kSeed, i) + 3 * random_dyadic(kSeed + 1, i);
      expect(right, "gpumark_triad");
      a_.poison();
      gpu_.launch("gpumark_copy", blocks, device::CopyArgs{a_.as<void>(), b_.as<void>(), vectors, blocks});
      spoil_device_output("copy", gpu_, a_);
      expect(a_.read<double>(kCount) == b_.read<double>(kCount), "gpumark_copy");
      a_.poison();
      gpu_.launch("gpumark_write", blocks, device::WriteArgs{a_.as<void>(), vectors, 42, blocks});
      expect(a_.read<std::uint64_t>(kCount) == std::vector<std::uint64_t>(kCount, 42), "gpumark_write");
    }
  }
  void check_sums() {
    constexpr device::u64 vectors = kBytes / device::kVectorBytes;
    const std::vector<std::uint64_t> words = b_.read<std::uint64_t>(kCount);
    const std::size_t walked = prime_tiles(kBytes) * device::kTileBytes / device::kVectorBytes;
    std::uint64_t sum = 0, sum_walked = 0, mixed = 0;
    for (std::size_t i = 0; i < kCount; i += 2) {
      sum += words[i] + words[i + 1];
      if (i / 2 < walked) sum_walked += words[i] + words[i + 1];
      mixed += (words[i] ^ (i + 1)) * (2 * i + 1) + (words[i + 1] ^ (i + 2)) * (2 * i + 3);
    }
    for (const unsigned blocks : {1u, 2u, 7u}) {
      gpu_.launch("gpumark_read", blocks,
                  device::ReadArgs{b_.as<void>(), vectors, partials_.as<device::u64>(), blocks});
      expect(add_partials(partials_, blocks) == sum, "gpumark_read");
      gpu_.launch("gpumark_walk", blocks,
                  device::WalkArgs{b_.as<void>(), walked, partials_.as<device::u64>(), 2, blocks});
      expect(add_partials(partials_, blocks) == sum_walked * 2 * blocks, "gpumark_walk");
    }
    expect(checksum(gpu_, b_) == mixed, "gpumark_checksum");
  }
  /** Listing its candidates makes our engine verify every kernel that this device has. */
  void check_products() {
    const std::unique_ptr<GemmEngine> own = make_own_engine(run_);
    for (const GemmType type : kGemmTypes) {
      own->candidates(type, {256, 256, 256});
      for (const GemmEngine::Refused& one : own->refused()) wrong_.push_back(one.kernel);
    }
  }
  /** Checks that the checks can fail. */
  void check_detection() {
    expect(count_wrong(gpu_, b_, kSeed, 0, true) == 0, "gpumark_check");
    std::vector<double> one = b_.read<double>(1);
    const double kept = one[0];
    one[0] += 1.0 / 1024;
    const auto put = [&] {
      gpu_.check(gpu_.call().copy_to_device(b_.address(), one.data(), sizeof(double), gpu_.stream()),
                 "copying to the device");
      gpu_.wait();
    };
    put();
    expect(count_wrong(gpu_, b_, kSeed, 0, true) == 1, "gpumark_check");
    one[0] = kept;
    put();
    a_.poison();
    gpu_.launch("gpumark_repeat", 3, device::RepeatArgs{b_.as<double>(), a_.as<double>(), kCount, 8, 3});
    const std::vector<double> in = b_.read<double>(kCount), out = a_.read<double>(kCount);
    bool right = true;
    for (std::size_t i = 0; i < kCount; ++i) {
      double x = in[i];
      auto y = static_cast<float>(in[i]);
      for (int round = 0; round < 8; ++round) x = std::fma(x, -0.8125, in[i]), y = std::fma(y, -0.8125f, 0.3125f);
      right = right && out[i] == x + static_cast<double>(y);
    }
    expect(right, "gpumark_repeat");
  }
  /** Checks that the march finds exactly the one bit flipped on purpose, at its address. */
  void check_march() {
    constexpr device::u64 vectors = kBytes / device::kVectorBytes;
    constexpr std::size_t kSpoiled = kCount / 3;
    FoundDifferences found(gpu_);
    const auto sweep = [&](std::uint64_t expected, std::uint64_t next, unsigned check, unsigned backwards) {
      gpu_.launch(
          "gpumark_march", 3,
          device::MarchArgs{a_.as<void>(), vectors, kSeed, expected, next, found.address(), 1, check, backwards, 3});
    };
    const auto is_spoiled_one = [&] {
      const FoundDifferences::Summary seen = found.take();
      return seen.words == 1 && seen.bits == 1 && seen.places[0].offset == kSpoiled * 8 &&
             seen.places[0].bits == 1ull << 40;
    };
    const auto spoil = [&] {
      std::uint64_t word = a_.read<std::uint64_t>(1, kSpoiled)[0] ^ 1ull << 40;
      gpu_.check(gpu_.call().copy_to_device(a_.address() + kSpoiled * 8, &word, sizeof word, gpu_.stream()),
                 "copying to the device");
      gpu_.wait();
    };
    sweep(0, 0, 0, 0);
    bool right = true;
    const std::vector<std::uint64_t> words = a_.read<std::uint64_t>(kCount);
    for (std::size_t i = 0; i < kCount; ++i) right = right && words[i] == random_word(kSeed, i);
    sweep(0, ~0ull, 1, 0);
    right = right && found.take().words == 0;
    spoil();
    sweep(~0ull, 0, 1, 1);
    right = right && is_spoiled_one() && a_.read<std::uint64_t>(kCount) == words;
    expect(right, "gpumark_march");
    gpu_.launch("gpumark_copy", 2, device::CopyArgs{b_.as<void>(), a_.as<void>(), vectors, 2});
    const auto compare = [&] {
      gpu_.launch("gpumark_compare", 3, device::CompareArgs{a_.as<void>(), b_.as<void>(), vectors, found.address(), 3});
    };
    compare();
    right = found.take().words == 0;
    spoil();
    compare();
    expect(right && is_spoiled_one(), "gpumark_compare");
  }
  void check_chain() {
    constexpr device::u64 lines = kBytes / (device::kLineWords * 8), multiplier = 5, increment = 7;
    gpu_.launch("gpumark_chain", 2, device::ChainArgs{a_.as<device::u64>(), lines, multiplier, increment, 2});
    const GpuMemory result(gpu_, 256);
    gpu_.launch("gpumark_chase", 1, device::ChaseArgs{a_.as<device::u64>(), 1, 1000, result.as<device::u64>()});
    std::uint64_t at = 1;
    for (int i = 0; i < 1000; ++i) at = (multiplier * at + increment) % lines;
    expect(result.read<std::uint64_t>(1)[0] == at, "gpumark_chase");
  }

  GpuRun& run_;
  GpuContext& gpu_;
  GpuMemory a_, b_, c_, partials_;
  std::vector<std::string> wrong_;
};

}  // namespace

std::vector<std::string> self_test_gpu(GpuRun& run) { return KernelCheck(run).run(); }

}  // namespace gpumark
