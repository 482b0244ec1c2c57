// The host's own cores, behind the same interface as a GPU.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "backends/backend.h"
#include "cpu/cpu-context.h"
#include "cpu/gemm-candidates.h"
#include "sensors/cpu-sensor.h"

namespace gpumark {
namespace {

using Measure = void (*)(CpuContext&, const BenchmarkSpec&, Recorder&);

/** For each benchmark of the registry: the function that measures it, or the reason why there is none. */
struct CpuBenchmark {
  const char* id;
  Measure measure;
  const char* reason;
};

constexpr CpuBenchmark kBenchmarks[] = {
    {"clock", measure_clock, ""},
    {"fma", measure_fma, ""},
    {"matrix_issue", nullptr, "the peak of matrix instructions alone is measured on GPUs only"},
    {"gemm_fp32", measure_gemm_fp32, ""},
    {"gemm_fp64", measure_gemm_fp64, ""},
    {"gemm_fp16", measure_gemm_fp16, ""},
    {"gemm_bf16", measure_gemm_bf16, ""},
    {"gemm_fp8", nullptr, "processors have no fp8 arithmetic"},
    {"gemm_mixed", measure_gemm_mixed, ""},
    {"gemm_nvfp4", nullptr, "processors have no block-scaled products"},
    {"gemm_mxfp4", nullptr, "processors have no block-scaled products"},
    {"gemm_mxfp8", nullptr, "processors have no block-scaled products"},
    {"memory", measure_memory, ""},
    {"cache", measure_cache, ""},
    {"latency", nullptr, "latency of memory and caches is measured on GPUs only"},
    {"copy", measure_copy, ""},
    {"link", nullptr, "the processor is the host: there is no link between host and device"},
    {"dispatch", measure_dispatch, ""},
    {"repeat", nullptr,
     "repeated outputs are compared on GPUs only; the processor's matrix products are compared bit for bit"},
    {"march", nullptr, "patterns are written to free memory on GPUs only: that of the system is in use by others"},
};
static_assert(has_every_benchmark(kBenchmarks), "each benchmark of the registry has a row here, in its order");

const CpuBenchmark* find_cpu_benchmark(const char* id) {
  for (const CpuBenchmark& one : kBenchmarks) {
    if (std::strcmp(one.id, id) == 0) return &one;
  }
  return nullptr;
}

/**
 * Share of the benchmark's time that it takes on this processor: 0 if the processor runs none of its kernels (the
 * benchmark then reports the reason).
 */
double share_of_time(const CpuBenchmark& benchmark, const CpuFeatures& features, Tier tier) {
  if (benchmark.measure == measure_gemm_bf16)
    return candidates_16bit<Bf16>(features).empty() ? 0 : share_of_product(tier, true);
  if (benchmark.measure == measure_gemm_fp16 || benchmark.measure == measure_gemm_mixed)
    return candidates_16bit<Half>(features).empty() ? 0 : share_of_product(tier, true);
  if (benchmark.measure == measure_gemm_fp32 || benchmark.measure == measure_gemm_fp64)
    return share_of_product(tier, false);
  return benchmark.measure ? 1 : 0;
}

std::vector<int> worker_cpus(const Topology& topology, int wanted) {
  std::vector<int> cpus = topology.core_cpus;
  int count = wanted ? wanted : static_cast<int>(cpus.size());
  // More workers than the cgroup pays for would be throttled in bursts and measure the scheduler.
  if (!wanted && topology.cpu_quota > 0)
    count = std::min(count, std::max(1, static_cast<int>(std::floor(topology.cpu_quota))));
  if (count > static_cast<int>(cpus.size())) cpus = topology.cpus;
  cpus.resize(static_cast<std::size_t>(std::min<int>(count, static_cast<int>(cpus.size()))));
  return cpus;
}

class CpuSession : public Session {
 public:
  CpuSession(const RunOptions& options, Recorder& recorder)
      : options_(options),
        topology_(read_topology(options.sysfs_root)),
        features_(detect_cpu_features()),
        pool_(worker_cpus(topology_, options.threads)),
        sensors_(std::make_unique<CpuSensor>(options.sysfs_root), recorder),
        context_{options_, topology_, features_, best_kernels(features_), pool_, sensors_} {}

  double expected_seconds(const BenchmarkSpec& spec) const override {
    const CpuBenchmark* known = find_cpu_benchmark(spec.id);
    return known ? options_.seconds(spec) * share_of_time(*known, features_, options_.tier) : 0;
  }

  void run(const BenchmarkSpec& spec, Recorder& recorder) override {
    if (spec.spans) return sensors_.report(recorder);
    const CpuBenchmark* known = find_cpu_benchmark(spec.id);
    if (!known) return;
    recorder.ask_share([this] { return pool_.take_core_share(); });
    known->measure ? known->measure(context_, spec, recorder) : recorder.finish(known->reason, Absence::hardware);
  }

  std::vector<std::string> self_test() override { return self_test_cpu(context_); }

 private:
  RunOptions options_;
  Topology topology_;
  CpuFeatures features_;
  ThreadPool pool_;
  SensorLog sensors_;
  CpuContext context_;
};

class CpuBackend : public Backend {
 public:
  const char* name() const override { return "cpu"; }

  const char* why_not(const BenchmarkSpec& spec) const override {
    if (spec.spans) return nullptr;
    const CpuBenchmark* known = find_cpu_benchmark(spec.id);
    return known ? known->measure ? nullptr : known->reason : kNoRow;
  }

  std::vector<Device> list(const RunOptions& options) override {
    const Topology t = read_topology(options.sysfs_root);
    const CpuFeatures features = detect_cpu_features();
    Device d;
    d.backend = "cpu";
    d.vendor = "cpu";
    d.status = "ok";
    d.detail = "the host's own cores";
    d.device_id = "cpu-0";
    d.name = cpu_model_name();
    d.memory_bytes = static_cast<double>(t.memory_bytes);
    d.attributes.texts("isa", features.names()).text("kernels", best_kernels(features).isa);
    d.attributes.integer("threads", static_cast<std::int64_t>(worker_cpus(t, options.threads).size()));
    d.attributes.integer("logical_cpus", static_cast<std::int64_t>(t.cpus.size()))
        .integer("physical_cores", static_cast<std::int64_t>(t.core_cpus.size()));
    t.cpu_quota > 0 ? d.attributes.number("cpu_quota_cores", t.cpu_quota) : d.attributes.null("cpu_quota_cores");
    d.attributes.integer("l1d_bytes", static_cast<std::int64_t>(t.l1d_bytes))
        .integer("l2_bytes", static_cast<std::int64_t>(t.l2_bytes));
    d.attributes.integer("llc_bytes", static_cast<std::int64_t>(t.llc_bytes))
        .integer("llc_level", t.llc_level)
        .integer("llc_domains", t.llc_domains);
    d.attributes.integer("numa_nodes", t.numa_nodes).text("governor", t.governor);
    return {d};
  }

  std::unique_ptr<Session> open(const Device&, const RunOptions& options, Recorder& recorder) override {
    recorder.announce();
    return std::make_unique<CpuSession>(options, recorder);
  }
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() { return std::make_unique<CpuBackend>(); }

}  // namespace gpumark
