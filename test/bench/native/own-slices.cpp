// Ours, slice by slice: linked from the same objects as the shipped runner. One measurement per line read from stdin.
// The first line states what was chosen: size and threads (gemm), kind of store (triad), lanes, threads and the core (fma).
//   own-slices gemm            GFLOP/s of one SGEMM
//   own-slices triad BYTES     GB/s of one triad over arrays of that size, faster kind of store (chosen first, as in the
//                              runner)
//   own-slices fma             GFLOP/s of one slice, and the GHz of the clock in an equally long slice right after it; the first
//                              line adds multiply-adds per cycle and core, 0 if the table does not know this processor
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "cpu/fma-probe.h"
#include "cpu/fma-units.h"
#include "cpu/gemm-candidates.h"
#include "cpu/gemm-choice.h"
#include "cpu/stream-arrays.h"
#include "measure/recorder.h"
#include "sensors/cpu-sensor.h"

using namespace gpumark;

namespace {

void answer_lines(const std::string& first_line, const std::function<std::string()>& measure) {
  std::printf("%s\n", first_line.c_str());
  std::fflush(stdout);
  for (char line[16]; std::fgets(line, sizeof line, stdin);) {
    std::printf("%s\n", measure().c_str());
    std::fflush(stdout);
  }
}

int serve_gemm(CpuContext& cpu) {
  const GemmBlocking g = choose_size<Fp32Product>(cpu, choose_kernel<Fp32Product>(cpu, kernels_of(cpu.kernels.gemm_fp32)));
  GemmRun<Fp32Product> run(cpu, g);
  if (!run) return 3;
  answer_lines(std::to_string(g.n) + " " + std::to_string(cpu.pool.size()), [&] { return std::to_string(run.slice() * 1e3); });
  return 0;
}

int serve_triad(CpuContext& cpu, std::size_t bytes) {
  const std::size_t n = bytes / sizeof(double) / 4096 * 4096;
  StreamArrays x(cpu, n);
  if (!x) return 3;
  const StreamKernels& k = cpu.kernels.stream;
  const auto rate = [&](bool nt) {
    const double seconds = x.each([&](std::size_t i, std::size_t end) { (nt ? k.triad_nt : k.triad)(x.a() + i, x.b() + i, x.c() + i, 3, end - i); });
    return static_cast<double>(n) * 24 / seconds * 1e-9;
  };
  double best[2] = {};
  for (int i = 0; i < 10; ++i) best[i % 2] = std::max(best[i % 2], rate(i % 2));
  const bool nt = best[1] > best[0];
  answer_lines(nt ? "non-temporal" : "plain", [&] { return std::to_string(rate(nt)); });
  return 0;
}

int serve_fma(CpuContext& cpu) {
  ThreadPool& pool = cpu.pool;
  const FmaKernel& kernel = cpu.kernels.fma_fp32;
  FmaProbe<float> probe(cpu, kernel);
  // The clock is measured like the rate: an equally long slice on all workers, wall time from first start to last end.
  // Other work on the machine then slows both equally, and the ratio depends on the kernel only.
  static constexpr std::uint64_t kRounds = 250000;
  const auto clock = [&] { return static_cast<double>(kRounds) * 64 / pool.run_timed([](int) { add_chain_ghz(kRounds); }) * 1e-9; };
  const auto units = fma_units(identify_cpu(), kernel.lanes * 32);
  const std::string core = units ? std::to_string(units->per_cycle) + " " + units->core : "0 unknown core";
  answer_lines(std::to_string(kernel.lanes) + " " + std::to_string(cpu.pool.size()) + " " + core, [&] {
    const double rate = probe.slice();
    return std::to_string(rate * 1e3) + " " + std::to_string(clock());
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  RunOptions options;
  const Topology topology = read_topology(options.sysfs_root);
  const CpuFeatures features = detect_cpu_features();
  ThreadPool pool(topology.core_cpus);
  Emitter emitter(2);
  Recorder recorder(emitter, "cpu-0");
  SensorLog sensors(std::make_unique<CpuSensor>("/nonexistent"), recorder);
  CpuContext cpu{options, topology, features, best_kernels(features), pool, sensors};
  const std::string what = argv[1];
  if (what == "gemm") return serve_gemm(cpu);
  if (what == "triad" && argc > 2) return serve_triad(cpu, std::strtoull(argv[2], nullptr, 10));
  if (what == "fma") return serve_fma(cpu);
  return 2;
}
