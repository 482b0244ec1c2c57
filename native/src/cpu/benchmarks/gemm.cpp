// fp32_tflops, fp32_cuda_core_tflops, fp64_tflops: matrix multiplication, 2 n^3 operations, verified against float64.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "cpu/cpu-context.h"
#include "cpu/gemm-plan.h"
#include "cpu/gemm-verify.h"
#include "cpu/host-memory.h"
#include "measure/fault.h"
#include "measure/random.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

/** Length of one multiplication: long against barriers and timer, short enough for several in the quick tier. */
constexpr double kSliceSeconds = 0.2;
constexpr std::size_t kTrialSize = 960;
constexpr std::size_t kMinSize = 480;
constexpr std::size_t kMaxSize = 14000;

template <class T>
class GemmRun {
 public:
  GemmRun(CpuContext& cpu, const GemmBlocking& g)
      : cpu_(cpu), g_(g), a_(bytes(g.n * g.ld)), b_(bytes(g.n * g.ld)), c_(bytes(g.n * g.ld)), workspace_(bytes(gemm_workspace_elements(g))) {
    if (!*this) return;
    cpu_.pool.run([this](int thread) {
      const Share rows = share_of(g_.n, thread, cpu_.pool.size(), 1);
      for (std::size_t i = rows.begin * g_.ld; i < rows.end * g_.ld; ++i) {
        a_.template as<T>()[i] = cpu_.options.random_data ? static_cast<T>(random_normal(cpu_.options.seed, i)) : T{0};
        b_.template as<T>()[i] = cpu_.options.random_data ? static_cast<T>(random_normal(cpu_.options.seed + 1, i)) : T{0};
      }
    });
    poison();
  }
  explicit operator bool() const { return a_ && b_ && c_ && workspace_; }

  /** TFLOP/s of one multiplication over a poisoned C; remembers whether the result repeated bit for bit. */
  double slice() {
    poison();
    const double seconds = multiply<T>(cpu_.pool, g_, a_.template as<T>(), b_.template as<T>(), c_.template as<T>(), workspace_.template as<T>());
    const auto n = static_cast<double>(g_.n);
    return 2 * n * n * n / seconds * 1e-12;
  }
  double hashed_slice() {
    const double rate = slice();
    const std::uint64_t hash = hash_matrix(cpu_.pool, c_.template as<T>(), g_.n, g_.ld);
    if (slices_++ == 0) first_hash_ = hash;
    repeats_ = repeats_ && hash == first_hash_;
    return rate;
  }
  bool repeats() const { return repeats_; }
  GemmVerdict verify(const char* benchmark) {
    spoil_output(benchmark, c_.as<T>(), g_.n * g_.ld / 2 * sizeof(T));
    return verify_product<T>(cpu_.pool, {g_.n, g_.ld, a_.template as<T>(), b_.template as<T>(), c_.template as<T>(), g_.kc}, cpu_.options.seed);
  }
  const GemmBlocking& blocking() const { return g_; }

 private:
  static std::size_t bytes(std::size_t elements) { return elements * sizeof(T); }

  /** All bits set is NaN: an element that no tile writes cannot pass for a result. */
  void poison() {
    cpu_.pool.run([this](int thread) {
      const Share rows = share_of(g_.n, thread, cpu_.pool.size(), 1);
      std::memset(c_.template as<T>() + rows.begin * g_.ld, 0xff, bytes((rows.end - rows.begin) * g_.ld));
    });
  }

  CpuContext& cpu_;
  GemmBlocking g_;
  HostMemory a_, b_, c_, workspace_;
  std::uint64_t first_hash_ = 0;
  int slices_ = 0;
  bool repeats_ = true;
};

struct Choice {
  const GemmKernel* kernel = nullptr;
  std::size_t depth = 0;
  double tflops = 0;
};

/** Times every kernel of the set at a few panel depths on a small problem; best of two each. */
template <class T>
Choice choose_kernel(CpuContext& cpu, const GemmKernel* kernels) {
  Choice best;
  for (const GemmKernel* kernel = kernels; kernel->name; ++kernel) {
    for (const std::size_t depth : {std::size_t{192}, std::size_t{256}, std::size_t{384}}) {
      if (stop_requested()) return best;
      GemmRun<T> trial(cpu, plan_blocking(cpu.topology, cpu.pool.size(), *kernel, round_to_tile(*kernel, kTrialSize), depth, sizeof(T)));
      if (!trial) return best;
      trial.slice();
      const double tflops = std::max(trial.slice(), trial.slice());
      if (tflops > best.tflops) best = {kernel, depth, tflops};
    }
  }
  return best;
}

/** A size that takes about a slice at the trial's rate, within the memory limit. */
template <class T>
GemmBlocking choose_size(CpuContext& cpu, const Choice& choice) {
  const double wanted = std::cbrt(choice.tflops * 1e12 * kSliceSeconds / 2);
  auto n = static_cast<std::size_t>(std::clamp(wanted, double{kMinSize}, double{kMaxSize}));
  for (;; n = n * 9 / 10) {
    const GemmBlocking g = plan_blocking(cpu.topology, cpu.pool.size(), *choice.kernel, round_to_tile(*choice.kernel, n), choice.depth, sizeof(T));
    if (gemm_bytes(g, sizeof(T)) <= cpu.memory_limit() || n <= 100) return g;
  }
}

template <class T>
JsonObject describe(CpuContext& cpu, const GemmRun<T>& run) {
  const GemmBlocking& g = run.blocking();
  const auto size = static_cast<std::int64_t>(g.n);
  JsonObject d;
  d.integer("m", size).integer("n", size).integer("k", size).text("kernel", g.kernel->name).text("isa", cpu.kernels.isa);
  d.integer("kc", static_cast<std::int64_t>(g.kc)).integer("mc", static_cast<std::int64_t>(g.mc)).integer("nc", static_cast<std::int64_t>(g.nc));
  d.integer("threads", cpu.pool.size()).text("data", cpu.data_name()).integer("seed", static_cast<std::int64_t>(cpu.options.seed));
  return d;
}

template <class T>
void measure_gemm(CpuContext& cpu, const BenchmarkSpec& spec, const GemmKernel* kernels, Recorder& recorder) {
  const double seconds = spec.seconds(cpu.options.tier);
  const Choice choice = choose_kernel<T>(cpu, kernels);
  if (!choice.kernel) return recorder.finish("there was not enough memory, or no time, for a trial multiplication");
  GemmRun<T> run(cpu, choose_size<T>(cpu, choice));
  if (!run) return recorder.finish("the system refused the memory for the matrices");
  cpu.sensors.begin_load();
  collect(seconds * 0.25, 1, 1000000, [&] { return run.slice(); });
  const std::vector<double> rates = collect(seconds * 0.75, 5, 50000, [&] {
    const double rate = run.hashed_slice();
    recorder.sample(spec.metrics[0], rate);
    return rate;
  });
  cpu.sensors.end_load();
  if (rates.size() < 3) return;
  recorder.note_rates(rates);
  const GemmVerdict verdict = run.verify(spec.id);
  JsonObject details = describe(cpu, run);
  details.object("verification", verdict.details()).boolean("repeats_bit_for_bit", run.repeats());
  for (const char* metric : spec.metrics) {
    if (!verdict.right) {
      recorder.wrong(metric, "the product differs from the float64 reference by more than the error bound", details);
    } else if (!run.repeats()) {
      recorder.wrong(metric, "the same multiplication gave different bits when repeated", details);
    } else {
      Result r;
      r.metric = metric;
      r.stats = summarize(rates);
      r.value = r.stats->median;
      r.verified = true;
      r.details = details;
      // Matrix product and ordinary lanes are the same units on a CPU; the probe shows what the lanes could do without memory.
      if (std::strcmp(metric, "fp32_cuda_core_tflops") == 0) r.details.number("fma_probe_tflops", recorder.published("fma_fp32_tflops"));
      recorder.result(r);
    }
  }
}

}  // namespace

void measure_gemm_fp32(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) { measure_gemm<float>(cpu, spec, cpu.kernels.gemm_fp32, recorder); }
void measure_gemm_fp64(CpuContext& cpu, const BenchmarkSpec& spec, Recorder& recorder) { measure_gemm<double>(cpu, spec, cpu.kernels.gemm_fp64, recorder); }

}  // namespace gpumark
