#include "sensors/amd-smi.h"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <vector>

#include "sensors/amd-smi-table.h"

namespace gpumark {
namespace {

template <class Table>
struct Library {
  Table call;
  bool usable = false;
};

const Library<RsmiTable>& rocm_smi() {
  static const Library<RsmiTable> library = [] {
    Library<RsmiTable> l;
    for (const char* name : {"librocm_smi64.so.1", "librocm_smi64.so.7", "librocm_smi64.so.6", "librocm_smi64.so.5", "librocm_smi64.so"}) {
      void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (!handle) continue;
#define GPUMARK_BIND(member, symbol, parameters) l.call.member = reinterpret_cast<decltype(l.call.member)>(dlsym(handle, symbol));
      GPUMARK_RSMI_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
      l.usable = l.call.init && l.call.count && l.call.pci_id && l.call.init(0) == 0;
      break;
    }
    return l;
  }();
  return library;
}

const Library<AmdsmiTable>& amd_smi() {
  static const Library<AmdsmiTable> library = [] {
    Library<AmdsmiTable> l;
    constexpr std::uint64_t kGpus = 2;
    for (const char* name : {"libamd_smi.so.26", "libamd_smi.so.25", "libamd_smi.so.24", "libamd_smi.so"}) {
      void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (!handle) continue;
#define GPUMARK_BIND(member, symbol, parameters) l.call.member = reinterpret_cast<decltype(l.call.member)>(dlsym(handle, symbol));
      GPUMARK_AMDSMI_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
      l.usable = l.call.init && l.call.by_pci && l.call.energy && l.call.init(kGpus) == 0;
      break;
    }
    return l;
  }();
  return library;
}

struct PciAddress {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  explicit PciAddress(const std::string& id) { std::sscanf(id.c_str(), "%x:%x:%x.%x", &domain, &bus, &device, &function); }
};

/** Index of the device in ROCm SMI's own order, or -1. Bits 28-31 of its id hold the partition and are left out. */
int rsmi_index(const std::string& pci_id) {
  const auto& smi = rocm_smi();
  std::uint32_t count = 0;
  if (!smi.usable || smi.call.count(&count) != 0) return -1;
  const PciAddress wanted(pci_id);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t id = 0;
    if (smi.call.pci_id(i, &id) != 0) continue;
    if ((id >> 32) == wanted.domain && (id >> 8 & 0xff) == wanted.bus && (id >> 3 & 0x1f) == wanted.device && (id & 7) == wanted.function) return static_cast<int>(i);
  }
  return -1;
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<double> read_number(const std::filesystem::path& path, double scale) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? std::optional<double>(value * scale) : std::nullopt;
}

std::filesystem::path device_folder(const std::string& sysfs_root, const std::string& pci_id) { return sysfs_root + "/bus/pci/devices/" + pci_id; }

/** The amdgpu driver's sensor folder of this device, or empty. */
std::filesystem::path hwmon_folder(const std::string& sysfs_root, const std::string& pci_id) {
  std::error_code ignored;
  // Not by a range: that one throws where the folder goes away under it.
  for (std::filesystem::directory_iterator at(device_folder(sysfs_root, pci_id) / "hwmon", ignored), end; !ignored && at != end; at.increment(ignored)) {
    if (read_text(at->path() / "name") == "amdgpu") return at->path();
  }
  return {};
}

class AmdSensor : public DeviceSensor {
 public:
  AmdSensor(const std::string& sysfs_root, const std::string& pci_id) : hwmon_(hwmon_folder(sysfs_root, pci_id)), index_(rsmi_index(pci_id)) {
    if (index_ < 0 && amd_smi().usable) {
      const PciAddress a(pci_id);
      const std::uint64_t bdf = std::uint64_t{a.domain} << 16 | a.bus << 8 | a.device << 3 | a.function;
      if (amd_smi().call.by_pci(bdf, &handle_) != 0) handle_ = nullptr;
    }
    has_energy_ = read_joules() || read_watts();
    has_temperature_ = read_celsius().has_value();
    ecc_before_ = ecc();
  }

  SensorReading read() override {
    SensorReading r;
    r.joules = read_joules();
    r.watts = read_watts();
    r.celsius = read_celsius();
    r.memory_celsius = temperature(rsmi::kMemory, "temp3_input");
    r.clock_mhz = read_number(hwmon_ / "freq1_input", 1e-6);
    r.memory_clock_mhz = read_number(hwmon_ / "freq2_input", 1e-6);
    // One reading may fail on a busy machine; two in a row are a sensor that is gone.
    silent_readings_ = r.joules || r.watts ? 0 : silent_readings_ + 1;
    if (has_energy_ && silent_readings_ >= 2) lost_ = true;
    return r;
  }

  std::string energy_problem() const override {
    if (lost_) return "the sensors stopped answering during the run";
    return has_energy_ ? "" : "neither ROCm SMI nor AMD SMI nor the kernel reports energy or power of this device";
  }
  std::string temperature_problem() const override { return has_temperature_ ? "" : "neither ROCm SMI nor the kernel reports a temperature of this device"; }
  bool energy_lost() const override { return lost_; }
  std::string energy_source() const override { return handle_ ? "AMD SMI energy accumulator" : "ROCm SMI energy accumulator"; }
  std::string scope() const override { return "socket"; }
  std::string temperature_source() const override { return "hottest junction reading of the device over the run"; }

  void health(JsonObject& to) override {
    const std::optional<RsmiErrorCount> now = ecc();
    if (!now || !ecc_before_) {
      to.null("ecc_corrected_during_run").null("ecc_uncorrected_during_run");
      return;
    }
    to.integer("ecc_corrected_during_run", static_cast<std::int64_t>(now->correctable - ecc_before_->correctable));
    to.integer("ecc_uncorrected_during_run", static_cast<std::int64_t>(now->uncorrectable - ecc_before_->uncorrectable));
  }

 private:
  std::uint32_t device() const { return static_cast<std::uint32_t>(index_); }

  std::optional<double> read_joules() const {
    std::uint64_t ticks = 0, nanoseconds = 0;
    float microjoules = 0;
    const bool read = index_ >= 0 ? rocm_smi().call.energy && rocm_smi().call.energy(device(), &ticks, &microjoules, &nanoseconds) == 0
                                  : handle_ && amd_smi().call.energy(handle_, &ticks, &microjoules, &nanoseconds) == 0;
    // Guests and the second die of an MI250X read 0.
    return read && ticks > 0 ? std::optional<double>(static_cast<double>(ticks) * static_cast<double>(microjoules) * 1e-6) : std::nullopt;
  }

  std::optional<double> read_watts() const {
    std::uint64_t microwatts = 0;
    if (index_ >= 0) {
      const RsmiTable& call = rocm_smi().call;
      const bool read = (call.socket_power && call.socket_power(device(), &microwatts) == 0) || (call.average_power && call.average_power(device(), 0, &microwatts) == 0);
      if (read && microwatts > 0) return static_cast<double>(microwatts) * 1e-6;
    }
    if (const auto average = read_number(hwmon_ / "power1_average", 1e-6)) return average;
    return read_number(hwmon_ / "power1_input", 1e-6);
  }

  std::optional<double> temperature(std::uint32_t sensor, const char* file) const {
    std::int64_t millidegrees = 0;
    if (index_ >= 0 && rocm_smi().call.temperature && rocm_smi().call.temperature(device(), sensor, rsmi::kCurrent, &millidegrees) == 0 && millidegrees > 0) {
      return static_cast<double>(millidegrees) * 1e-3;
    }
    return read_number(hwmon_ / file, 1e-3);
  }
  /** Junction; of boards that have an edge sensor only, that. */
  std::optional<double> read_celsius() const {
    const auto junction = temperature(rsmi::kJunction, "temp2_input");
    return junction ? junction : read_number(hwmon_ / "temp1_input", 1e-3);
  }

  std::optional<RsmiErrorCount> ecc() const {
    RsmiErrorCount count = {};
    const auto ask = rocm_smi().call.ecc_count;
    return index_ >= 0 && ask && ask(device(), rsmi::kUmcBlock, &count) == 0 ? std::optional<RsmiErrorCount>(count) : std::nullopt;
  }

  std::filesystem::path hwmon_;
  int index_;
  void* handle_ = nullptr;
  bool has_energy_ = false;
  bool has_temperature_ = false;
  int silent_readings_ = 0;
  bool lost_ = false;
  std::optional<RsmiErrorCount> ecc_before_;
};

void add_text(JsonObject& to, const char* key, const std::string& value) { value.empty() ? to.null(key) : to.text(key, value); }

}  // namespace

std::optional<double> amd_free_bytes(const std::string& sysfs_root, const std::string& pci_id) {
  const auto folder = device_folder(sysfs_root, pci_id);
  const auto total = read_number(folder / "mem_info_vram_total", 1), used = read_number(folder / "mem_info_vram_used", 1);
  return total && used ? std::optional<double>(*total - *used) : std::nullopt;
}

void add_amd_facts(const std::string& sysfs_root, const std::string& pci_id, JsonObject& attributes) {
  const auto folder = device_folder(sysfs_root, pci_id);
  add_text(attributes, "driver_version", read_text(sysfs_root + "/module/amdgpu/version"));
  const int index = rsmi_index(pci_id);
  const bool has_hwmon = !hwmon_folder(sysfs_root, pci_id).empty();
  add_text(attributes, "telemetry", index >= 0 ? "ROCm SMI" : amd_smi().usable ? "AMD SMI" : has_hwmon ? "sysfs" : "");
  if (index < 0 && !amd_smi().usable && !has_hwmon) attributes.text("telemetry_problem", "neither ROCm SMI nor AMD SMI is installed, and the kernel shows no sensors of this device");
  std::string vbios = read_text(folder / "vbios_version"), serial = read_text(folder / "serial_number");
  std::optional<double> cap = read_number(hwmon_folder(sysfs_root, pci_id) / "power1_cap", 1e-6);
  if (index >= 0) {
    const RsmiTable& call = rocm_smi().call;
    const auto device = static_cast<std::uint32_t>(index);
    char text[128] = {};
    std::uint64_t microwatts = 0;
    if (vbios.empty() && call.vbios && call.vbios(device, text, sizeof text) == 0) vbios = text;
    if (serial.empty() && call.serial && call.serial(device, text, sizeof text) == 0) serial = text;
    if (!cap && call.power_cap && call.power_cap(device, 0, &microwatts) == 0) cap = static_cast<double>(microwatts) * 1e-6;
  }
  add_text(attributes, "vbios", vbios);
  add_text(attributes, "serial", serial);
  attributes.number("power_cap_watts", cap).number("memory_free_bytes", amd_free_bytes(sysfs_root, pci_id));
  const std::string compute = read_text(folder / "current_compute_partition"), memory = read_text(folder / "current_memory_partition");
  if (compute.empty() && memory.empty()) {
    attributes.null("partition");
  } else {
    JsonObject partition;
    add_text(partition, "compute", compute);
    add_text(partition, "memory", memory);
    attributes.object("partition", partition);
  }
}

std::unique_ptr<DeviceSensor> make_amd_sensor(const std::string& sysfs_root, const std::string& pci_id) { return std::make_unique<AmdSensor>(sysfs_root, pci_id); }

}  // namespace gpumark
