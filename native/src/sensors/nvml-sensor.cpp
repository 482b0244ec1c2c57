// Power, energy, temperature, clocks and throttling of one NVIDIA device.
#include <cstring>

#include "sensors/nvml.h"

namespace gpumark {
namespace {

/** Without the "idle" bit, which says nothing about a throttled device. */
constexpr unsigned long long kIdleBit = 0x1;

class NvmlSensor : public DeviceSensor {
 public:
  explicit NvmlSensor(const std::string& pci_id) : call_(Nvml::instance().call()) {
    device_ = Nvml::instance().find(pci_id, problem_);
    if (!device_) return;
    if (!read_joules() && !read_watts()) energy_problem_ = "this device reports neither energy nor power through NVML";
    if (!Nvml::instance().problem().empty()) return;
    ecc_corrected_ = ecc(nvml::kCorrected);
    ecc_uncorrected_ = ecc(nvml::kUncorrected);
    replays_ = Nvml::number(call_.pcie_replays, device_);
  }

  SensorReading read() override {
    SensorReading r;
    if (!device_) return r;
    r.joules = read_joules();
    r.watts = read_watts();
    unsigned value = 0;
    if (call_.temperature && call_.temperature(device_, 0, &value) == 0) r.celsius = value;
    r.clock_mhz = clock(nvml::kClockSm);
    r.memory_clock_mhz = clock(nvml::kClockMemory);
    unsigned long long mask = 0;
    if (call_.throttle && call_.throttle(device_, &mask) == 0) r.throttle = static_cast<unsigned>(mask & ~kIdleBit);
    if (energy_problem().empty() && !r.joules && !r.watts) lost_ = true;
    return r;
  }

  std::string energy_problem() const override { return !device_ ? problem_ : lost_ ? "NVML stopped answering during the run" : energy_problem_; }
  std::string temperature_problem() const override { return problem_; }
  bool energy_lost() const override { return lost_; }
  std::string energy_source() const override { return "NVML total energy counter"; }
  std::string scope() const override { return "gpu"; }
  std::string temperature_source() const override { return "NVML, hottest reading of the device over the run"; }

  void health(JsonObject& to) override {
    if (!device_) return;
    since(to, "ecc_corrected_during_run", ecc_corrected_, ecc(nvml::kCorrected));
    since(to, "ecc_uncorrected_during_run", ecc_uncorrected_, ecc(nvml::kUncorrected));
    since(to, "pcie_replays_during_run", replays_, Nvml::number(call_.pcie_replays, device_));
    // NVML tells Xid errors only to who waits for them, and that would need a thread of its own for every device.
    to.null("xid");
  }

 private:
  static void since(JsonObject& to, const char* key, std::optional<double> before, std::optional<double> now) {
    before && now ? to.number(key, *now - *before) : to.null(key);
  }

  std::optional<double> ecc(int kind) const {
    unsigned long long count = 0;
    return call_.ecc_errors && call_.ecc_errors(device_, kind, nvml::kVolatile, &count) == 0 ? std::optional<double>(static_cast<double>(count)) : std::nullopt;
  }

  std::optional<double> clock(int domain) const {
    unsigned mhz = 0;
    return call_.clock && call_.clock(device_, domain, &mhz) == 0 ? std::optional<double>(mhz) : std::nullopt;
  }

  std::optional<double> read_joules() const {
    unsigned long long millijoules = 0;
    if (!call_.energy || call_.energy(device_, &millijoules) != 0) return std::nullopt;
    return static_cast<double>(millijoules) * 1e-3;
  }

  /** The instantaneous field where there is one: the plain call is a mean over a second on most devices since Ampere. */
  std::optional<double> read_watts() const {
    if (call_.fields) {
      NvmlFieldValue field;
      std::memset(&field, 0, sizeof field);
      field.field_id = nvml::kFieldPowerInstant;
      field.scope_id = nvml::kScopeGpu;
      if (call_.fields(device_, 1, &field) == 0 && field.result == 0 && field.value.as_uint > 0) return field.value.as_uint * 1e-3;
    }
    const auto milliwatts = Nvml::number(call_.power, device_);
    return milliwatts ? std::optional<double>(*milliwatts * 1e-3) : std::nullopt;
  }

  const NvmlTable& call_;
  NvmlDevice device_ = nullptr;
  std::string problem_;
  std::string energy_problem_;
  bool lost_ = false;
  std::optional<double> ecc_corrected_, ecc_uncorrected_, replays_;
};

}  // namespace

std::unique_ptr<DeviceSensor> make_nvml_sensor(const std::string& pci_id) { return std::make_unique<NvmlSensor>(pci_id); }

}  // namespace gpumark
