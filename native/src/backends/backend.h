// The interface of every backend (cpu, cuda, rocm). The commands use devices through it alone.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "measure/recorder.h"
#include "protocol/events.h"
#include "registry/benchmarks.h"

namespace gpumark {

/**
 * Whose kernels multiply matrices on a GPU. automatic: both are measured, and the vendor's library is the headline if
 * it is installed and its products are right.
 */
enum class EngineChoice { automatic, vendor, own };

struct RunOptions {
  std::vector<std::string> benchmarks;
  /** Measured after those, on one device after the other while the others wait: what a device reaches alone. */
  std::vector<std::string> turns;
  /** How often the benchmarks are measured, with a pause before each repetition: the power of all devices swings. */
  int swings = 1;
  Tier tier = Tier::quick;
  /** Scales every benchmark's measuring time: a node with many devices divides the tier's time among them. */
  double time_scale = 1;
  bool random_data = true;
  EngineChoice engine = EngineChoice::automatic;
  /** 0 = one per physical core that this process may use. */
  int threads = 0;
  std::string sysfs_root = "/sys";
  std::uint64_t seed = 20240917;
  /** 0 = three eighths of the memory that the system reports as available. */
  std::uint64_t max_memory_bytes = 0;
  /** Started by another runner, which writes a byte to our stdin when each step begins: how many devices work in it. */
  bool in_step = false;
  /** This process exists for the trials of our kernels: it starts no other one for them. */
  bool is_trial = false;

  double seconds(const BenchmarkSpec& benchmark) const { return benchmark.seconds(tier) * time_scale; }
};

/** Why a device that was listed as usable cannot be measured; becomes an error event. */
struct DeviceUnusable {
  std::string code, message, remedy;
  DeviceUnusable(std::string code_, std::string message_, std::string remedy_)
      : code(std::move(code_)), message(std::move(message_)), remedy(std::move(remedy_)) {}
};

/** The reason that why_not returns for a benchmark that only the registry has. */
inline constexpr const char* kNoRow = "this backend's table has no row for it";

/** Outcome of a copy matrix. incomplete: a cell has no figure; wrong: a copy differs from its source. */
struct MatrixOutcome {
  bool complete = true;
  bool wrong = false;
};

/** Of a line of `try-kernels`, before the kernel's name. */
inline constexpr const char* kTrialBegins = "begins ";
inline constexpr const char* kTrialEnds = "ends ";

/** One opened device. */
class Session {
 public:
  virtual ~Session() = default;
  /** Expected wall time of one benchmark in seconds, for progress display only; 0 if it will not be measured. */
  virtual double expected_seconds(const BenchmarkSpec& benchmark) const = 0;
  /** Reports a result for every metric of the benchmark; the recorder reports those left out as missing. */
  virtual void run(const BenchmarkSpec& benchmark, Recorder& recorder) = 0;
  /**
   * Checks every kernel on small inputs against float64; returns the names of those that were wrong. @throws
   * DeviceUnusable
   */
  virtual std::vector<std::string> self_test() = 0;
  /**
   * Tries those of these matrix kernels of ours that the device has. @param say when a trial begins, and when it
   * ends, whatever its outcome. @throws DeviceUnusable
   */
  virtual void try_kernels(const std::set<std::string>&, const std::function<void(const std::string&, bool)>&) {}
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const char* name() const = 0;
  /** Why no device of this backend measures this benchmark; null if the backend implements it. Starts no driver. */
  virtual const char* why_not(const BenchmarkSpec& benchmark) const = 0;
  /** Never empty: a backend without a usable device returns one entry with the reason. Never throws, never crashes. */
  virtual std::vector<Device> list(const RunOptions& options) = 0;
  /** Opens a device of list() whose status is ok, and announces it through the recorder. @throws DeviceUnusable */
  virtual std::unique_ptr<Session> open(const Device& device, const RunOptions& options, Recorder& recorder) = 0;
  /** Measures copies between all pairs of these devices and emits a cell event per ordered pair. */
  virtual MatrixOutcome copy_matrix(const std::vector<Device>&, const RunOptions&, Emitter&) { return {}; }
};

struct Vendor;

/** All backends, in listing order. */
std::vector<std::unique_ptr<Backend>> all_backends();
std::unique_ptr<Backend> make_cpu_backend();
std::unique_ptr<Backend> make_gpu_backend(const Vendor& vendor);

}  // namespace gpumark
