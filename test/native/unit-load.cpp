// The figure of products against what a simulated card executed on its own clock, for
// test/native/sweeps/figure-over-time.test.ts: loads with idle gaps and power caps, each from its seed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

#include "gpu/gemm/gemm-stretches.h"
#include "gpu/vendor.h"
#include "measure/recorder.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

constexpr int kStretches = 60;
constexpr const char* kProduct = "gpumark_sgemm";

/** The simulator's side of it. */
struct Card {
  void (*begin_load)(std::uint64_t seed, const char* product);
  void (*open_window)();
  void (*window)(double* seconds, double* products);
};

Card card_of_simulator() {
  void* const core = dlopen("libgpumark-simulated-core.so", RTLD_LAZY | RTLD_NOLOAD);
  Card card = {};
  if (!core) return card;
  card.begin_load = reinterpret_cast<decltype(card.begin_load)>(dlsym(core, "gpumark_sim_begin_load"));
  card.open_window = reinterpret_cast<decltype(card.open_window)>(dlsym(core, "gpumark_sim_open_window"));
  card.window = reinterpret_cast<decltype(card.window)>(dlsym(core, "gpumark_sim_window"));
  return card;
}

/** Shares by which the figure, and the median of the stretches, differ from the products that were executed per second.
 */
struct Difference {
  double figure = 1, median = 1, counted = 1;
};

Difference measure_load(GpuRun& run, GemmCandidate& product, const GemmData& data, const Card& card,
                        std::uint64_t seed) {
  card.begin_load(seed, kProduct);
  std::optional<GemmFigure> figure;
  {
    GemmStretches stretches(run, product, data);
    card.open_window();
    std::vector<double> rates;
    for (int i = 0; i < kStretches; ++i) rates.push_back(stretches.next());
    figure = stretches.figure(rates);
  }
  double seconds = 0, products = 0;
  card.window(&seconds, &products);
  card.begin_load(0, nullptr);
  if (!figure || !(seconds > 0)) return {};
  const double rate = data.shape().operations() * products / seconds * 1e-12;
  return {std::fabs(figure->tflops / rate - 1), std::fabs(figure->stretches.median / rate - 1),
          std::max(std::fabs(figure->products / products - 1), std::fabs(figure->seconds / seconds - 1))};
}

}  // namespace

/** `load N`: prints {"loads":…,"worst":…,"worst_counted":…,"medians_off":…,"worst_median":…}. */
int report_loads(int argc, char** argv) {
  const int loads = argc > 1 ? std::atoi(argv[1]) : 0;
  const GpuDriver& driver = driver_of(*vendors().front());
  RunOptions options;
  GpuContext gpu(driver, identify(driver, 0, "/nonexistent"));
  Emitter emitter(-1);
  Recorder recorder(emitter, gpu.device().id);
  SensorLog sensors(driver.vendor().make_sensor(gpu.device(), "/nonexistent"), recorder);
  KernelTrust trust;
  GpuRun run{options, gpu, sensors, trust};
  const GemmShape shape{64, 64, 64};
  GemmCandidates products = make_own_engine(run)->candidates(GemmType::fp32, shape);
  const Card card = card_of_simulator();
  const auto product = std::find_if(products.begin(), products.end(),
                                    [](const auto& candidate) { return candidate->algorithm() == kProduct; });
  if (product == products.end() || !card.begin_load) return 1;
  const GemmData data(run, GemmType::fp32, shape, GemmFill::zeros, 0);
  Difference worst{0, 0, 0};
  int medians_off = 0;
  for (int seed = 1; seed <= loads; ++seed) {
    const Difference one = measure_load(run, **product, data, card, static_cast<std::uint64_t>(seed));
    if (one.figure > 0.002) std::fprintf(stderr, "seed %d: the figure is off by %.3f %%\n", seed, one.figure * 100);
    worst = {std::max(worst.figure, one.figure), std::max(worst.median, one.median),
             std::max(worst.counted, one.counted)};
    medians_off += one.median > 0.002;
  }
  std::printf("{\"loads\":%d,\"worst\":%.9f,\"worst_counted\":%.9f,\"medians_off\":%d,\"worst_median\":%.6f}\n", loads,
              worst.figure, worst.counted, medians_off, worst.median);
  return 0;
}
