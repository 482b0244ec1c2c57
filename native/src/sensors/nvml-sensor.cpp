// Power, energy, temperature, clocks and throttling of one NVIDIA device.
#include <vector>

#include "sensors/nvml-health.h"

namespace gpumark {
namespace {

/** NVML's reasons without the "idle" bit, which is not throttling. */
constexpr unsigned long long kNvmlReasons = 0xfffe;
/** A failing card may report them endlessly. */
constexpr std::size_t kMostXids = 100;

class NvmlSensor : public DeviceSensor {
 public:
  ~NvmlSensor() override { free_events(); }
  NvmlSensor(const std::string& pci_id, bool is_mig) : call_(Nvml::instance().call()), is_mig_(is_mig) {
    device_ = Nvml::instance().find(pci_id, problem_);
    if (!device_) return;
    if (!read_joules() && !read_watts()) energy_problem_ = "this device reports neither energy nor power through NVML";
    watch_xids();
    changes_.emplace(NvmlCard(device_, is_mig_));
  }

  SensorReading read() override {
    SensorReading r;
    if (!device_) return r;
    r.joules = read_joules();
    r.watts = read_watts();
    r.celsius = read_celsius();
    if (const auto memory = field(nvml::kFieldMemoryTemperature); memory && memory->as_uint > 0)
      r.memory_celsius = memory->as_uint;
    r.clock_mhz = clock(nvml::kClockSm);
    r.memory_clock_mhz = clock(nvml::kClockMemory);
    collect_xids();
    r.throttle = read_throttle();
    // One reading may fail on a busy machine; after two in a row the sensor counts as lost.
    silent_readings_ = r.joules || r.watts ? 0 : silent_readings_ + 1;
    if (energy_problem().empty() && silent_readings_ >= 2) lost_ = true;
    return r;
  }

  std::string energy_problem() const override {
    return !device_ ? problem_ : lost_ ? "NVML stopped answering during the run" : energy_problem_;
  }
  std::string temperature_problem() const override { return problem_; }
  bool energy_lost() const override { return lost_; }
  std::string energy_source() const override { return "NVML total energy counter"; }
  /** A slice of a card has no power meter of its own. */
  std::string scope() const override { return nvml_scope(is_mig_); }
  std::string temperature_source() const override { return "NVML, hottest reading of the device over the run"; }

  void health(JsonObject& to) override {
    if (!changes_) return;
    to.text("health_scope", nvml_scope(is_mig_));
    FactWriter facts(to);
    changes_->report(facts);
    collect_xids();
    events_ ? void(to.texts("xid", xids_))
            : facts.missing("xid", "this driver or this user gets no events of the card");
    facts.finish();
  }

 private:
  /** Xid errors arrive as events; without permission to wait for events they are only in the kernel's log. */
  void watch_xids() {
    if (!call_.event_set_create || !call_.register_events || !call_.wait_event || call_.event_set_create(&events_) != 0)
      return;
    if (call_.register_events(device_, nvml::kXidEvent, events_) == 0) return;
    free_events();
  }
  void collect_xids() {
    NvmlEvent event = {};
    while (events_ && xids_.size() < kMostXids && call_.wait_event(events_, &event, 0) == 0)
      xids_.push_back(std::to_string(event.data));
  }
  void free_events() {
    if (events_ && call_.event_set_free) call_.event_set_free(events_);
    events_ = nullptr;
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

  /** Uses the newer call if the driver has it; the other is deprecated. */
  std::optional<double> read_celsius() const {
    NvmlTemperature temperature = {kNvmlTemperatureVersion, 0, 0};
    if (call_.temperature_v && call_.temperature_v(device_, &temperature) == 0) return temperature.celsius;
    unsigned celsius = 0;
    return call_.temperature && call_.temperature(device_, 0, &celsius) == 0 ? std::optional<double>(celsius)
                                                                             : std::nullopt;
  }

  /** Likewise. */
  std::optional<unsigned> read_throttle() const {
    unsigned long long mask = 0;
    const bool read = (call_.clocks_event_reasons && call_.clocks_event_reasons(device_, &mask) == 0) ||
                      (call_.throttle && call_.throttle(device_, &mask) == 0);
    // All bits: no value.
    return read && mask != ~0ull ? std::optional<unsigned>(static_cast<unsigned>(mask & kNvmlReasons)) : std::nullopt;
  }

  std::optional<decltype(NvmlFieldValue::value)> field(unsigned id) const {
    return Nvml::instance().field(device_, id);
  }

  /** The instantaneous field if available: the plain call returns a mean over a second on most devices since Ampere. */
  std::optional<double> read_watts() const {
    if (const auto now = field(nvml::kFieldPowerInstant); now && now->as_uint > 0) return now->as_uint * 1e-3;
    const auto milliwatts = Nvml::number(call_.power, device_);
    return milliwatts ? std::optional<double>(*milliwatts * 1e-3) : std::nullopt;
  }

  const NvmlTable& call_;
  const bool is_mig_;
  NvmlDevice device_ = nullptr;
  std::string problem_;
  std::string energy_problem_;
  int silent_readings_ = 0;
  bool lost_ = false;
  void* events_ = nullptr;
  std::vector<std::string> xids_;
  std::optional<NvmlChanges> changes_;
};

}  // namespace

std::unique_ptr<DeviceSensor> make_nvml_sensor(const std::string& pci_id, bool is_mig) {
  return std::make_unique<NvmlSensor>(pci_id, is_mig);
}

}  // namespace gpumark
