#include "registry/benchmarks.h"

#include <cstdio>
#include <cstdlib>

namespace gpumark {

const BenchmarkSpec* find_benchmark(const std::string& id) {
  for (const BenchmarkSpec& spec : kBenchmarks) {
    if (id == spec.id) return &spec;
  }
  return nullptr;
}

const char* unit_of(const std::string& metric) {
  for (const BenchmarkSpec& spec : kBenchmarks) {
    for (const Metric& one : spec.metrics) {
      if (metric == one.name) return one.unit;
    }
  }
  std::fprintf(stderr, "metric %s is not in the registry\n", metric.c_str());
  std::abort();
}

}  // namespace gpumark
