// The one registry of benchmarks, shared by all backends. A backend that cannot run one answers with a reason, never by silence.
#pragma once
#include <string>
#include <vector>

namespace gpumark {

enum class Tier { quick, standard, soak };

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
