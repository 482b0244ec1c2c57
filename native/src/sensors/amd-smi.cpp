#include "sensors/amd-smi.h"

#include <algorithm>

#include "sensors/amd-health.h"
#include "sensors/amd-libraries.h"
#include "sensors/amd-throttle.h"
#include "sensors/sysfs.h"

namespace gpumark {
namespace {

class AmdSensor : public DeviceSensor {
 public:
  AmdSensor(const std::string& sysfs_root, const std::string& pci_id)
      : folder_(pci_folder(sysfs_root, pci_id)),
        hwmon_(amd_hwmon_folder(sysfs_root, pci_id)),
        throttle_(folder_),
        changes_(AmdCard(sysfs_root, pci_id)),
        index_(rsmi_index(pci_id)) {
    if (index_ < 0) handle_ = amdsmi_handle(pci_id);
    has_energy_ = read_joules() || read_watts();
    has_temperature_ = read_celsius().has_value();
  }

  SensorReading read() override {
    SensorReading r;
    r.joules = read_joules();
    r.watts = read_watts();
    r.celsius = read_celsius();
    r.memory_celsius = read_memory_celsius();
    r.clock_mhz = read_number(hwmon_ / "freq1_input", 1e-6);
    r.memory_clock_mhz = read_number(hwmon_ / "freq2_input", 1e-6);
    r.throttle = throttle_.read();
    // One reading may fail on a busy machine; after two in a row the sensor counts as lost.
    silent_readings_ = r.joules || r.watts ? 0 : silent_readings_ + 1;
    if (has_energy_ && silent_readings_ >= 2) lost_ = true;
    return r;
  }

  std::string energy_problem() const override {
    if (lost_) return "the sensors stopped answering during the run";
    return has_energy_ ? "" : "neither ROCm SMI nor AMD SMI nor the kernel reports energy or power of this device";
  }
  std::string temperature_problem() const override {
    return has_temperature_ ? "" : "neither ROCm SMI nor the kernel reports a temperature of this device";
  }
  bool energy_lost() const override { return lost_; }
  std::string energy_source() const override {
    return handle_ ? "AMD SMI energy accumulator" : "ROCm SMI energy accumulator";
  }
  std::string scope() const override { return "socket"; }
  std::string temperature_source() const override { return "hottest junction reading of the device over the run"; }

  void health(JsonObject& to) override {
    to.text("health_scope", scope());
    FactWriter facts(to);
    changes_.report(facts);
    facts.finish();
  }

 private:
  std::uint32_t device() const { return static_cast<std::uint32_t>(index_); }

  std::optional<double> read_joules() const {
    std::uint64_t ticks = 0, nanoseconds = 0;
    float microjoules = 0;
    const bool read = index_ >= 0 ? rocm_smi().call.energy &&
                                        rocm_smi().call.energy(device(), &ticks, &microjoules, &nanoseconds) == 0
                                  : handle_ && amd_smi().call.energy(handle_, &ticks, &microjoules, &nanoseconds) == 0;
    // Virtual machines and the second die of an MI250X read 0.
    return read && ticks > 0
               ? std::optional<double>(static_cast<double>(ticks) * static_cast<double>(microjoules) * 1e-6)
               : std::nullopt;
  }

  std::optional<double> read_watts() const {
    std::uint64_t microwatts = 0;
    if (index_ >= 0) {
      const RsmiTable& call = rocm_smi().call;
      const bool read = (call.socket_power && call.socket_power(device(), &microwatts) == 0) ||
                        (call.average_power && call.average_power(device(), 0, &microwatts) == 0);
      if (read && microwatts > 0) return static_cast<double>(microwatts) * 1e-6;
    }
    if (const auto average = read_number(hwmon_ / "power1_average", 1e-6)) return average;
    return read_number(hwmon_ / "power1_input", 1e-6);
  }

  /** From the library that knows the device; ROCm SMI returns thousandths of a degree, AMD SMI degrees. */
  std::optional<double> temperature(std::uint32_t sensor) const {
    std::int64_t value = 0;
    const auto rsmi = rocm_smi().call.temperature;
    if (index_ >= 0 && rsmi && rsmi(device(), sensor, rsmi::kCurrent, &value) == 0 && value > 0)
      return static_cast<double>(value) * 1e-3;
    const auto amd = amd_smi().call.temperature;
    if (handle_ && amd && amd(handle_, static_cast<int>(sensor), rsmi::kCurrent, &value) == 0 && value > 0)
      return static_cast<double>(value);
    return std::nullopt;
  }
  /** Junction temperature; the edge sensor on boards that have no other. */
  std::optional<double> read_celsius() const {
    if (const auto junction = temperature(rsmi::kJunction)) return junction;
    const auto second = read_number(hwmon_ / "temp2_input", 1e-3);
    return second ? second : read_number(hwmon_ / "temp1_input", 1e-3);
  }
  /** The memory sensor, or the hottest stack if that is hotter. */
  std::optional<double> read_memory_celsius() const {
    std::optional<double> hottest;
    for (std::uint32_t sensor = rsmi::kMemory; sensor <= rsmi::kLastStack; ++sensor) {
      const auto now = temperature(sensor);
      if (now && (!hottest || *now > *hottest)) hottest = now;
    }
    return hottest ? hottest : read_number(hwmon_ / "temp3_input", 1e-3);
  }

  std::filesystem::path folder_, hwmon_;
  AmdThrottle throttle_;
  AmdChanges changes_;
  int index_;
  void* handle_ = nullptr;
  bool has_energy_ = false;
  bool has_temperature_ = false;
  int silent_readings_ = 0;
  bool lost_ = false;
};

}  // namespace

std::filesystem::path amd_hwmon_folder(const std::string& sysfs_root, const std::string& pci_id) {
  std::error_code ignored;
  // Not a range-based loop: its increment throws if the folder disappears.
  for (std::filesystem::directory_iterator at(pci_folder(sysfs_root, pci_id) / "hwmon", ignored), end;
       !ignored && at != end; at.increment(ignored)) {
    if (read_text(at->path() / "name") == "amdgpu") return at->path();
  }
  return {};
}

std::unique_ptr<DeviceSensor> make_amd_sensor(const std::string& sysfs_root, const std::string& pci_id) {
  return std::make_unique<AmdSensor>(sysfs_root, pci_id);
}

}  // namespace gpumark
