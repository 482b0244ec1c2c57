// The one registry: every benchmark with its metrics, their labels and the times that the agent plans with. It is
// printed for the agent (`--registry`) and shared by all backends; a backend that cannot run a benchmark must give a
// reason.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace gpumark {

enum class Tier { quick, standard, soak };

struct TierSeconds {
  double quick, standard, soak;

  constexpr double of(Tier tier) const { return tier == Tier::soak ? soak : tier == Tier::standard ? standard : quick; }
};

/** GB = 1e9 bytes, TFLOP = 1e12. */
struct Metric {
  /** On the wire, and for people. */
  const char* name = nullptr;
  const char* unit = nullptr;
  const char* label = nullptr;
  /** Heading of its column in the live table; null: no column. */
  const char* column = nullptr;
  /**
   * Of a metric that spans other benchmarks: how the figures of several processes are combined. highest;
   * highest_of_top_load: the highest among those with the highest details.load_rank; sum.
   */
  const char* over_pieces = nullptr;
};

struct MetricList {
  static constexpr std::size_t kMost = 5;
  Metric all[kMost];

  constexpr const Metric* begin() const { return all; }
  constexpr const Metric* end() const {
    const Metric* last = all;
    while (last != all + kMost && last->name) ++last;
    return last;
  }
  constexpr const Metric& operator[](std::size_t i) const { return all[i]; }
};

struct BenchmarkSpec {
  const char* id;
  MetricList metrics;
  /** Time to spend measuring, warm-up included, preparation and verification excluded. */
  TierSeconds tier_seconds;
  /** Place of its figures in a summary, from 1. */
  int place;
  /**
   * Seconds for which each GPU of a node is also measured in turn, while the others wait: power, cooling and the host's
   * memory may limit it when all work. 0: not measured so. The same in every tier, since a sample of the same load
   * class is enough for the gap.
   */
  double turn_seconds;
  /** Spans the other benchmarks of the run, and takes no time of its own. */
  bool spans;

  constexpr double seconds(Tier tier) const { return tier_seconds.of(tier); }
};

/**
 * A matrix product in the quick tier: 1.6 s before and the 1.2 s that count (measure/load-class.h), 0.7 s for what
 * stands beside the headline (gemm-measurement.h). Ten products, the most that a card has (sm_100: TF32, fp32 lanes,
 * fp64, fp16, bf16, fp8, mixed and three block-scaled types), take 35 s of the minute.
 */
inline constexpr double kQuickProduct = 3.5;

/**
 * In execution order: the clock comes first because later details refer to it, energy last because it spans the others.
 * Every backend's table must have these rows in this order, or the program does not compile.
 */
inline constexpr BenchmarkSpec kBenchmarks[] = {
    {"clock", {{{"clock_ghz", "GHz", "clock"}}}, {0.5, 5, 60}, 20, 0, false},
    {"fma",
     {{{"fma_fp32_tflops", "TFLOP/s", "fp32 multiply-add peak"},
       {"fma_fp64_tflops", "TFLOP/s", "fp64 multiply-add peak"},
       {"fma_fp16_tflops", "TFLOP/s", "fp16 multiply-add peak"}}},
     {1.5, 20, 600},
     2,
     3 * 2.8,
     false},
    {"matrix_issue",
     {{{"matrix_issue_fp16_tflops", "TFLOP/s", "fp16 issue peak"},
       {"matrix_issue_bf16_tflops", "TFLOP/s", "bf16 issue peak"},
       {"matrix_issue_fp8_tflops", "TFLOP/s", "fp8 issue peak"},
       {"matrix_issue_tf32_tflops", "TFLOP/s", "tf32 issue peak"},
       {"matrix_issue_fp64_tflops", "TFLOP/s", "fp64 issue peak"}}},
     {1, 15, 120},
     11,
     0,
     false},
    {"gemm_fp32",
     {{{"fp32_tflops", "TFLOP/s", "fp32", "fp32"},
       {"fp32_ieee_tflops", "TFLOP/s", "fp32 (IEEE)"},
       {"tf32_tflops", "TFLOP/s", "tf32"},
       {"fp32_cuda_core_tflops", "TFLOP/s", "fp32 (ordinary lanes)"}}},
     {2 * kQuickProduct, 60, 3600},
     1,
     0,
     false},
    {"gemm_fp64", {{{"fp64_tflops", "TFLOP/s", "fp64"}}}, {kQuickProduct, 40, 1800}, 3, 0, false},
    {"gemm_fp16", {{{"fp16_tflops", "TFLOP/s", "fp16", "fp16"}}}, {kQuickProduct, 40, 1800}, 4, 0, false},
    {"gemm_bf16", {{{"bf16_tflops", "TFLOP/s", "bf16", "bf16"}}}, {kQuickProduct, 40, 1800}, 5, kQuickProduct, false},
    {"gemm_fp8", {{{"fp8_tflops", "TFLOP/s", "fp8", "fp8"}}}, {kQuickProduct, 40, 1800}, 6, 0, false},
    {"gemm_mixed",
     {{{"mixed_precision_tflops", "TFLOP/s", "mixed precision"}}},
     {kQuickProduct, 40, 1800},
     7,
     0,
     false},
    {"gemm_nvfp4", {{{"nvfp4_tflops", "TFLOP/s", "nvfp4"}}}, {kQuickProduct, 20, 600}, 8, 0, false},
    {"gemm_mxfp4", {{{"mxfp4_tflops", "TFLOP/s", "mxfp4"}}}, {kQuickProduct, 20, 600}, 9, 0, false},
    {"gemm_mxfp8", {{{"mxfp8_tflops", "TFLOP/s", "mxfp8"}}}, {kQuickProduct, 20, 600}, 10, 0, false},
    {"memory", {{{"memory_bandwidth_gbs", "GB/s", "memory bandwidth", "memory"}}}, {2, 40, 1800}, 12, 1.5, false},
    {"cache", {{{"l2_bandwidth_gbs", "GB/s", "last-level cache"}}}, {1, 15, 600}, 13, 0, false},
    {"latency",
     {{{"memory_latency_ns", "ns", "memory latency"}, {"l2_latency_ns", "ns", "cache latency"}}},
     {0.5, 5, 60},
     15,
     0,
     false},
    {"copy", {{{"memory_copy_gbs", "GB/s", "memory copy"}}}, {0.5, 15, 600}, 14, 0, false},
    {"link",
     {{{"host_to_device_bandwidth_gbs", "GB/s", "host to device"},
       {"device_to_host_bandwidth_gbs", "GB/s", "device to host"}}},
     {2, 20, 600},
     16,
     1.5,
     false},
    {"dispatch", {{{"kernel_launch_overhead_us", "us", "launch overhead"}}}, {0.5, 5, 60}, 17, 0, false},
    {"repeat", {{{"repeat_checks", "count", "identical repetitions"}}}, {2, 60, 36000}, 18, 0, false},
    {"march", {{{"march_passes", "count", "memory march"}}}, {0.5, 30, 3600}, 19, 0, false},
    {"energy",
     {{{"power_consumption_watts", "W", "power", nullptr, "highest_of_top_load"},
       {"temperature_centigrade", "C", "temperature", nullptr, "highest"},
       {"energy_consumption_wh", "Wh", "energy", nullptr, "sum"}}},
     {0, 0, 0},
     21,
     0,
     true},
};
inline constexpr std::size_t kBenchmarkCount = sizeof kBenchmarks / sizeof kBenchmarks[0];

/** Warm-up of a node's GPUs before the first figure: clocks rise and temperatures settle under load. */
inline constexpr TierSeconds kWarmUp = {1.5, 30, 30};
/** The copies between every two GPUs of a node. */
inline constexpr TierSeconds kMatrixSeconds = {8, 45, 80};

constexpr bool has_names_units_and_labels() {
  for (const BenchmarkSpec& spec : kBenchmarks) {
    if (spec.metrics.begin() == spec.metrics.end()) return false;
    for (const Metric& metric : spec.metrics) {
      if (!metric.unit || !metric.label || spec.spans != (metric.over_pieces != nullptr)) return false;
    }
  }
  return true;
}
static_assert(has_names_units_and_labels(), "each benchmark has metrics, each with its unit and its label");

/** True if a backend's table has a row for every benchmark that takes time, in their order. */
template <class Row, std::size_t count>
constexpr bool has_every_benchmark(const Row (&rows)[count]) {
  std::size_t next = 0;
  for (const BenchmarkSpec& spec : kBenchmarks) {
    if (spec.spans) continue;
    if (next == count || std::string_view(spec.id) != rows[next].id) return false;
    ++next;
  }
  return next == count;
}

/** Null for an unknown id. */
const BenchmarkSpec* find_benchmark(const std::string& id);
/** Unit of a metric of the registry; an unknown name is a programming error and ends the process. */
const char* unit_of(const std::string& metric);

}  // namespace gpumark
