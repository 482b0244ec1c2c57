// The one registry of benchmarks, shared by all backends. A backend that cannot run one answers with a reason, never by
// silence.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpumark {

enum class Tier { quick, standard, soak };

/**
 * All that a device is asked for, in the order of a run: the clock comes first because later details refer to it. Every
 * table of benchmarks has these rows in this order, or the program does not compile.
 */
constexpr std::string_view kMeasuredBenchmarks[] = {
    "clock",    "fma",        "matrix_issue", "gemm_fp32",  "gemm_fp64",  "gemm_fp16", "gemm_bf16",
    "gemm_fp8", "gemm_mixed", "gemm_nvfp4",   "gemm_mxfp4", "gemm_mxfp8", "memory",    "cache",
    "latency",  "copy",       "link",         "dispatch",   "repeat",     "march"};

/** True where the first rows of `rows` are those of kMeasuredBenchmarks; `further` is how many there are besides. */
template <class Row, std::size_t count>
constexpr bool has_every_benchmark(const Row (&rows)[count], std::size_t further = 0) {
  constexpr std::size_t measured = sizeof kMeasuredBenchmarks / sizeof kMeasuredBenchmarks[0];
  if (count != measured + further) return false;
  for (std::size_t i = 0; i < measured; ++i) {
    if (kMeasuredBenchmarks[i] != rows[i].id) return false;
  }
  return true;
}

struct BenchmarkSpec {
  const char* id;
  std::vector<const char*> metrics;
  /** Time to spend measuring, warm-up included, preparation and verification excluded. */
  double quick_seconds;
  double standard_seconds;
  double soak_seconds;

  double seconds(Tier tier) const;
};

const std::vector<BenchmarkSpec>& benchmarks();
/** Null for an unknown id. */
const BenchmarkSpec* find_benchmark(const std::string& id);

}  // namespace gpumark
