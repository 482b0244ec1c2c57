// march_passes: moving inversions over 98 % of the free memory: each word is checked for its pattern and inverted, once
// in ascending and once in descending order, so that a bit that is stuck, flips late or is coupled to its neighbour is
// found. The method of memory testers, here at memory bandwidth.
#include <memory>

#include "gpu/found-differences.h"
#include "gpu/gpu-check.h"
#include "measure/fault.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

/** A pattern is random_word(seed, i) or one constant word; the inverse of each is written and read as well. */
struct Pattern {
  const char* name;
  bool random;
  std::uint64_t word;
};
constexpr Pattern kPatterns[] = {
    {"solid", false, 0},
    {"checkerboard", false, 0x5555555555555555ull},
    {"bytes", false, 0x00ff00ff00ff00ffull},
    {"own address", true, 0x51d0},
};
constexpr std::uint64_t kInverse = ~std::uint64_t{0};

/** What the driver itself needs, and what its pages of 2 MiB leave over, is less than the rest. */
constexpr std::size_t kSharePercent = 98;
/** A driver that gives no allocation of that size is asked for less, down to what other benchmarks take. */
constexpr std::size_t kLeastPercent = 90, kStepPercent = 2;

class March {
 public:
  /** @throws GpuError if there is no such memory */
  March(GpuRun& run, std::size_t bytes)
      : gpu_(run.gpu), memory_(run.gpu, bytes), found_(run.gpu), blocks_(run.gpu.blocks(16)), seed_(run.options.seed) {}

  /** Writes the pattern, then sweeps upwards and downwards. Stops between two sweeps on request. */
  void pass(const Pattern& pattern, std::uint64_t number) {
    const std::uint64_t word = pattern.random ? seed_ + number : pattern.word;
    sweep(pattern, word, 0, 0, false, false);
    spoil_device_output("march", gpu_, memory_);
    sweep(pattern, word, 0, kInverse, true, false);
    sweep(pattern, word, kInverse, 0, true, true);
  }
  std::size_t bytes() const { return memory_.bytes(); }
  std::uint64_t address() const { return memory_.address(); }
  double swept_bytes() const { return swept_bytes_; }
  FoundDifferences::Summary found() { return found_.take(); }

 private:
  void sweep(const Pattern& pattern, std::uint64_t word, std::uint64_t expected, std::uint64_t next, bool check,
             bool backwards) {
    if (stop_requested()) return;
    gpu_.launch(
        "gpumark_march", blocks_,
        device::MarchArgs{memory_.as<void>(), memory_.bytes() / device::kVectorBytes, word, expected, next,
                          found_.address(), pattern.random ? 1u : 0u, check ? 1u : 0u, backwards ? 1u : 0u, blocks_});
    gpu_.wait();
    swept_bytes_ += static_cast<double>(memory_.bytes()) * (check ? 2 : 1);
  }

  GpuContext& gpu_;
  GpuMemory memory_;
  FoundDifferences found_;
  unsigned blocks_;
  std::uint64_t seed_;
  double swept_bytes_ = 0;
};

std::unique_ptr<March> over_most_memory(GpuRun& run) {
  for (std::size_t percent = kSharePercent;; percent -= kStepPercent) {
    try {
      return std::make_unique<March>(run, whole_tiles(run.memory_limit(percent)));
    } catch (const GpuError& error) {
      if (error.code != gpu_code::kOutOfMemory || percent <= kLeastPercent) throw;
    }
  }
}

/** A location as an offset from the start of the memory under test, and as a device address. */
JsonObject describe(const Pattern& pattern, std::int64_t pass, std::uint64_t base,
                    const FoundDifferences::Place& place) {
  return JsonObject{}
      .text("pattern", pattern.name)
      .integer("pass", pass)
      .text("offset", hexadecimal(place.offset))
      .text("address", hexadecimal(base + place.offset))
      .text("bits", hexadecimal(place.bits));
}

}  // namespace

void measure_gpu_march(GpuRun& run, const BenchmarkSpec& spec, Recorder& recorder) {
  if (whole_tiles(run.memory_limit(kLeastPercent)) < device::kTileBytes)
    return recorder.finish("too little free device memory");
  const double free_bytes = static_cast<double>(run.gpu.free_bytes());
  const std::unique_ptr<March> allocated = over_most_memory(run);
  March& march = *allocated;
  const double begin = now_seconds(), until = begin + run.seconds(spec);
  std::int64_t passes = 0;
  std::uint64_t words = 0, bits = 0;
  std::vector<JsonObject> places;
  while (!stop_requested() && (passes < static_cast<std::int64_t>(std::size(kPatterns)) || now_seconds() < until)) {
    const Pattern& pattern = kPatterns[static_cast<std::size_t>(passes) % std::size(kPatterns)];
    march.pass(pattern, static_cast<std::uint64_t>(passes));
    if (stop_requested()) break;
    const FoundDifferences::Summary found = march.found();
    words += found.words;
    bits += found.bits;
    for (const FoundDifferences::Place& place : found.places) {
      if (places.size() < device::kFoundPlaces) places.push_back(describe(pattern, passes, march.address(), place));
    }
    ++passes;
  }
  if (passes == 0) return;
  Result r;
  r.metric = "march_passes";
  r.value = static_cast<double>(passes);
  r.verified = words == 0;
  const double seconds = now_seconds() - begin;
  r.details.integer("bytes", static_cast<std::int64_t>(march.bytes()))
      .number("share_of_free_memory", static_cast<double>(march.bytes()) / free_bytes)
      .number("terabytes_swept", march.swept_bytes() * 1e-12)
      .number("gbs", march.swept_bytes() / seconds * 1e-9);
  r.details.integer("patterns", static_cast<std::int64_t>(std::size(kPatterns)))
      .integer("words_wrong", static_cast<std::int64_t>(words))
      .integer("bits_wrong", static_cast<std::int64_t>(bits));
  r.details.number("bit_flips_per_terabyte", static_cast<double>(bits) / (march.swept_bytes() * 1e-12))
      .objects("places", places);
  r.details.text("method",
                 "moving inversions over the free memory: write, then check and invert upwards, then downwards");
  if (*r.verified) return recorder.result(r);
  recorder.wrong(r.metric,
                 std::to_string(bits) + " bits of " + std::to_string(words) + " words were not what had been written",
                 r.details);
}

}  // namespace gpumark
