#include "gpu/gpu-session.h"

#include <sched.h>

#include <cstring>

#include "cpu/topology.h"
#include "gpu/fma-run.h"
#include "gpu/kernel-trials.h"
#include "gpu/vendor.h"
#include "measure/stop.h"
#include "measure/time.h"

namespace gpumark {
namespace {

using Measure = void (*)(GpuRun&, const BenchmarkSpec&, Recorder&);

/** For each benchmark of the registry: the function that measures it, or the reason why there is none. */
struct GpuBenchmark {
  const char* id;
  Measure measure;
  const char* reason;
};

constexpr GpuBenchmark kBenchmarks[] = {
    {"clock", measure_gpu_clock, ""},
    {"fma", measure_gpu_fma, ""},
    {"matrix_issue", measure_gpu_matrix_issue, ""},
    {"gemm_fp32", measure_gpu_gemm_fp32, ""},
    {"gemm_fp64", measure_gpu_gemm_fp64, ""},
    {"gemm_fp16", measure_gpu_gemm_fp16, ""},
    {"gemm_bf16", measure_gpu_gemm_bf16, ""},
    {"gemm_fp8", measure_gpu_gemm_fp8, ""},
    {"gemm_mixed", measure_gpu_gemm_mixed, ""},
    {"gemm_nvfp4", measure_gpu_gemm_nvfp4, ""},
    {"gemm_mxfp4", measure_gpu_gemm_mxfp4, ""},
    {"gemm_mxfp8", measure_gpu_gemm_mxfp8, ""},
    {"memory", measure_gpu_memory, ""},
    {"cache", measure_gpu_cache, ""},
    {"latency", measure_gpu_latency, ""},
    {"copy", measure_gpu_copy, ""},
    {"link", measure_gpu_link, ""},
    {"dispatch", measure_gpu_dispatch, ""},
    {"repeat", measure_gpu_repeat, ""},
    {"march", measure_gpu_march, ""},
};
static_assert(has_every_benchmark(kBenchmarks), "each benchmark of the registry has a row here, in its order");

const GpuBenchmark* find_gpu_benchmark(const char* id) {
  for (const GpuBenchmark& one : kBenchmarks) {
    if (std::strcmp(one.id, id) == 0) return &one;
  }
  return nullptr;
}

/** With less free memory than this, figures would not be representative of the device. */
constexpr std::size_t kLeastFreeBytes = std::size_t{24} << 20;

constexpr const char* kEndHolder = "Stop the processes that use the device, or measure another one with --device.";
constexpr const char* kComputeMode =
    " With none of them, its compute mode is exclusive or prohibited: nvidia-smi -c DEFAULT lifts that.";
constexpr const char* kLookAtLog = "Look at the kernel's log (dmesg: Xid, amdgpu) and reset or replace the card.";
constexpr const char* kLookAtCard = "Check the card with its vendor's tools (nvidia-smi, rocm-smi).";

/** ", held by process 4711", or "" if unknown. */
std::string held_by(const GpuDriver& driver, const GpuDevice& device, bool has_context) {
  const std::string holders = driver.vendor().holders(device, has_context);
  return holders.empty() ? "" : ", held by " + holders;
}

/**
 * Pins the calling thread to the CPUs of a NUMA node, so that the memory it pins is near the device. Does nothing for
 * -1.
 */
void pin_to_numa_node(int node, const std::string& sysfs_root) {
  if (node < 0) return;
  const std::vector<int> allowed = allowed_cpus();
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu :
       parse_cpu_list(read_line(sysfs_root + "/devices/system/node/node" + std::to_string(node) + "/cpulist"))) {
    for (const int mine : allowed) {
      if (mine == cpu) CPU_SET(cpu, &set);
    }
  }
  // The cgroup may exclude all CPUs of that node; then the affinity stays as it is.
  if (CPU_COUNT(&set) > 0) sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

const char* why_no_gpu_measures(const BenchmarkSpec& spec) {
  if (spec.spans) return nullptr;
  const GpuBenchmark* known = find_gpu_benchmark(spec.id);
  return known ? known->measure ? nullptr : known->reason : kNoRow;
}

void GpuSession::refuse_if_taken(const GpuContext& gpu) {
  const std::size_t free = gpu.free_bytes();
  if (free >= kLeastFreeBytes) return;
  throw DeviceUnusable("device_busy",
                       gpu.device().id + " has only " + std::to_string(free >> 20) + " MiB of " +
                           std::to_string(gpu.device().memory_bytes >> 20) + " MiB free" +
                           held_by(gpu.driver(), gpu.device(), true),
                       kEndHolder);
}

DeviceUnusable why_unusable(const GpuDriver& driver, const GpuDevice& device, const GpuError& error) {
  const std::string what = device.id + ": " + error.what();
  if (driver.vendor().has_lost(device)) return {"device_lost", what, kLookAtLog};
  if (error.code == gpu_code::kOutOfMemory) return {"device_busy", what + held_by(driver, device, false), kEndHolder};
  if (error.code == gpu_code::kDeviceUnavailable)
    return {"device_busy", what + held_by(driver, device, false), std::string(kEndHolder) + kComputeMode};
  if (std::string(error.what()).find("loading an image") == 0)
    return {"image_rejected", what, "Update the driver of the card, or the agent."};
  return {"driver_call_failed", what, kLookAtCard};
}

GpuSession::GpuSession(const GpuDriver& driver, const GpuDevice& device, const RunOptions& options, Recorder& recorder)
    : driver_(driver), device_(device), options_(options) {
  pin_to_numa_node(device.numa_node, options.sysfs_root);
  try {
    gpu_ = std::make_unique<GpuContext>(driver, device);
    recorder.announce(gpu_->image());
    refuse_if_taken(*gpu_);
  } catch (const GpuError& error) {
    throw why_unusable(driver, device, error);
  }
  sensors_ = std::make_unique<SensorLog>(driver.vendor().make_sensor(device, options.sysfs_root), recorder);
  run_ = std::make_unique<GpuRun>(GpuRun{options_, *gpu_, *sensors_, trust_});
}

GpuSession::~GpuSession() = default;

double GpuSession::expected_seconds(const BenchmarkSpec& spec) const {
  const GpuBenchmark* known = find_gpu_benchmark(spec.id);
  return known && known->measure ? options_.seconds(spec) : 0;
}

/** Clocks rise and temperatures settle under load. The second half also counts as load for the power figure. */
void GpuSession::warm_up() {
  warm_ = true;
  const double seconds = kWarmUp.of(options_.tier) * options_.time_scale;
  FmaRun fma(*run_, kFmaFp32);
  fma.calibrate(5e-3);
  const double half = now_seconds() + seconds / 2, until = half + seconds / 2;
  while (!stop_requested() && now_seconds() < half) fma.sample();
  sensors_->begin_load(kFmaLoad);
  while (!stop_requested() && now_seconds() < until) fma.sample();
  sensors_->end_load();
}

void GpuSession::run(const BenchmarkSpec& spec, Recorder& recorder) {
  if (spec.spans) return sensors_->report(recorder);
  const GpuBenchmark* known = find_gpu_benchmark(spec.id);
  if (!known) return;
  if (!known->measure) return recorder.finish(known->reason, Absence::hardware);
  if (!lost_.empty()) return recorder.finish(lost_);
  try {
    gpu_->enter();
    if (!warm_) warm_up();
    gpu_->hold_again();
    known->measure(*run_, spec, recorder);
  } catch (const GpuError& error) {
    // If one of our kernels breaks the context during its trial, it is refused and the benchmark runs again without it.
    if (trust_.blame(error.what()) && works_again()) return run(spec, recorder);
    explain(error, spec, recorder);
  }
}

/** A failed allocation leaves the context usable; most other failures destroy it. */
void GpuSession::explain(const GpuError& error, const BenchmarkSpec& spec, Recorder& recorder) {
  const std::string what = std::string(spec.id) + ": " + error.what();
  if (error.code == gpu_code::kOutOfMemory) {
    recorder.fail({"out_of_memory", what, "Stop the processes that hold the device's memory and run it again."});
    return recorder.finish("the device did not have enough free memory: " + std::string(error.what()));
  }
  const bool is_ecc = error.code == gpu_code::kEccUncorrectable || error.code == gpu_code::kContained;
  const bool goes_on = !is_ecc && works_again();
  if (!goes_on) lost_ = (is_ecc ? "the device's memory failed during " : "the device stopped working during ") + what;
  if (is_ecc) {
    recorder.fail({"ecc_error", what,
                   "The device's memory has an uncorrectable error: reset or replace the card, and do not trust "
                   "earlier results of this run."});
  } else if (goes_on) {
    recorder.fail({"launch_failed", what, "Run the self-test; if it fails too, suspect the card or its driver."});
  } else if (sensors_->answer()) {
    recorder.fail(
        {"launch_failed",
         what + "; the driver accepts no further work from this process, although the device's sensors still respond",
         "Run the self-test; if it fails too, suspect the card or its driver."});
  } else {
    recorder.fail({"device_lost", what, kLookAtLog});
  }
  recorder.finish(goes_on ? "a driver call failed: " + std::string(error.what()) : lost_);
}

/**
 * After an error: a failed kernel may destroy the context; if the device is still present and the driver allows it, a
 * new context works. If that fails too there is no context any more.
 */
bool GpuSession::works_again() {
  if (gpu_ && gpu_->answers()) return true;
  if (!driver_.vendor().renews_contexts) return false;
  run_.reset();
  gpu_.reset();
  driver_.reset(device_);
  try {
    gpu_ = std::make_unique<GpuContext>(driver_, device_);
  } catch (const GpuError&) {
    return false;
  }
  run_ = std::make_unique<GpuRun>(GpuRun{options_, *gpu_, *sensors_, trust_});
  return true;
}

std::vector<std::string> GpuSession::self_test() {
  try {
    return self_test_gpu(*run_);
  } catch (const GpuError& error) {
    if (trust_.blame(error.what()) && works_again()) return self_test();
    throw why_unusable(driver_, device_, error);
  }
}

void GpuSession::try_kernels(const std::set<std::string>& kernels,
                             const std::function<void(const std::string&, bool)>& say) {
  trust_.refuse_but(kernels, "not asked for");
  trust_.watch(say);
  for (;;) {
    try {
      return try_all_kernels(*run_);
    } catch (const GpuError& error) {
      if (!trust_.blame(error.what()) || !works_again()) throw why_unusable(driver_, device_, error);
    }
  }
}

}  // namespace gpumark
