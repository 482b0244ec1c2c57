// The GPUs of one vendor: discovery, status and opening.
#include <cstdlib>

#include "backends/backend.h"
#include "gpu/gpu-session.h"
#include "gpu/images.h"
#include "gpu/vendor.h"

namespace gpumark {
namespace {

/**
 * The environment variables by which a launcher hides devices from a process: those that are set, with their values.
 */
std::string visible_devices(const Vendor& vendor) {
  std::string words;
  for (const char* name : vendor.visibility_variables) {
    if (const char* value = std::getenv(name)) words += (words.empty() ? "" : " ") + std::string(name) + "=" + value;
  }
  return words;
}

class GpuBackend : public Backend {
 public:
  explicit GpuBackend(const Vendor& vendor) : vendor_(vendor) {}
  const char* name() const override { return vendor_.backend; }
  const char* why_not(const BenchmarkSpec& spec) const override { return why_no_gpu_measures(spec); }

  std::vector<Device> list(const RunOptions& options) override {
    const GpuDriver& driver = started();
    std::vector<Device> devices;
    if (driver.status() != "ok") {
      add_empty_cards(devices);
      if (devices.empty()) devices.push_back(entry(driver.status(), driver.detail()));
      return devices;
    }
    for (const GpuDevice& gpu : identify_all(driver, options.sysfs_root))
      devices.push_back(describe(driver, gpu, options));
    // If the launcher named devices, only those are wanted.
    if (visible_devices(vendor_).empty()) {
      add_hidden_slices(driver, devices);
      add_empty_cards(devices);
    }
    return devices;
  }

  std::unique_ptr<Session> open(const Device& device, const RunOptions& options, Recorder& recorder) override {
    const GpuDriver& driver = started();
    std::string why = " is no longer present";
    for (const GpuDevice& gpu : identify_all(driver, options.sysfs_root)) {
      if (gpu.id == device.device_id && gpu.problem.empty())
        return std::make_unique<GpuSession>(driver, gpu, options, recorder);
      // A call that fails leaves a device without its UUID, or without any name.
      if (gpu.id == device.device_id || gpu.id.empty()) {
        why = ": " + gpu.problem;
      } else if (!gpu.pci_id.empty() && device.pci_id == gpu.pci_id) {
        why = ": the driver now calls the card at " + gpu.pci_id + " " + gpu.id;
      }
    }
    if (!device.own_process.empty()) {
      throw DeviceUnusable("driver_call_failed",
                           device.device_id + " is a MIG instance, and a process sees only one of those",
                           "Set " + device.own_process + " and run it again.");
    }
    throw DeviceUnusable("driver_call_failed", device.device_id + why,
                         "Check the card with its vendor's tools (nvidia-smi, rocm-smi).");
  }

  MatrixOutcome copy_matrix(const std::vector<Device>& wanted, const RunOptions& options, Emitter& emitter) override {
    const GpuDriver& driver = started();
    std::vector<GpuDevice> chosen;
    for (const GpuDevice& gpu : identify_all(driver, options.sysfs_root)) {
      for (const Device& device : wanted) {
        if (device.device_id == gpu.id) chosen.push_back(gpu);
      }
    }
    return measure_copy_matrix(driver, chosen, options, emitter);
  }

 private:
  /** Started on first use: starting a driver can take seconds per card. */
  const GpuDriver& started() const { return driver_of(vendor_); }

  Device entry(const std::string& status, const std::string& detail) const {
    Device device;
    device.backend = name();
    device.vendor = vendor_.id;
    device.status = status;
    device.detail = detail;
    device.device_id = device.backend;
    device.name = device.vendor;
    device.simulated = started().simulated();
    const std::string visible = visible_devices(vendor_);
    if (!visible.empty()) device.attributes.text("visible_devices", visible);
    if (status != "ok" && started().code() != 0) device.attributes.integer("driver_code", started().code());
    return device;
  }

  /** Cards that are to be sliced and have no slice: the driver hides them, and says only that it has no device. */
  void add_empty_cards(std::vector<Device>& devices) const {
    for (const HiddenSlice& card : vendor_.hidden_slices()) {
      if (card.problem.empty()) continue;
      Device d = entry("error", card.problem);
      if (!card.uuid.empty()) d.device_id = card.uuid;
      d.pci_id = card.pci_id;
      d.name = card.name;
      d.attributes.boolean("mig_empty", true);
      devices.push_back(std::move(d));
    }
  }

  /** The driver gives no details of a slice that it hides; a separate process, shown only that slice, reports them. */
  void add_hidden_slices(const GpuDriver& driver, std::vector<Device>& devices) const {
    for (const HiddenSlice& slice : vendor_.hidden_slices()) {
      bool known = !slice.problem.empty();
      for (const Device& device : devices) known = known || device.device_id == slice.uuid;
      if (known) continue;
      const std::vector<DeviceImage> images = images_for(slice.architecture);
      Device d = entry(images.empty() ? "error" : "ok",
                       images.empty() ? "this build has no image for " + slice.architecture : "");
      d.device_id = slice.uuid;
      d.pci_id = slice.pci_id;
      d.name = slice.name;
      d.memory_bytes = static_cast<double>(slice.memory_bytes);
      d.own_process = slice.shown_by;
      d.image = "";
      JsonObject& a = d.attributes;
      a.text("uuid", slice.uuid)
          .text("driver_library", driver.library())
          .text(vendor_.version_attribute, driver.runtime_version())
          .text("architecture", slice.architecture);
      if (!slice.architecture.empty()) add_capability(slice.architecture, a);
      a.object("mig", vendor_.describe_slice(slice.name, slice.pci_id));
      GpuDevice gpu;
      gpu.pci_id = slice.pci_id;
      gpu.uuid = slice.uuid;
      gpu.is_mig = true;
      vendor_.add_facts(gpu, "", a);
      devices.push_back(std::move(d));
    }
  }

  Device describe(const GpuDriver& driver, const GpuDevice& gpu, const RunOptions& options) const {
    const std::vector<DeviceImage> images = images_for(gpu.architecture);
    if (!gpu.problem.empty()) {
      Device unknown = entry("error", gpu.problem);
      if (!gpu.id.empty()) unknown.device_id = gpu.id;
      if (!gpu.name.empty()) unknown.name = gpu.name;
      if (!gpu.pci_id.empty()) unknown.pci_id = gpu.pci_id;
      return unknown;
    }
    Device d =
        entry(images.empty() ? "error" : "ok", images.empty() ? "this build has no image for " + gpu.architecture : "");
    d.device_id = gpu.id;
    if (!gpu.pci_id.empty()) d.pci_id = gpu.pci_id;
    d.name = gpu.name;
    d.memory_bytes = static_cast<double>(gpu.memory_bytes);
    JsonObject& a = d.attributes;
    gpu.uuid.empty() ? a.null("uuid") : a.text("uuid", gpu.uuid);
    a.text("driver_library", driver.library()).text(vendor_.version_attribute, driver.runtime_version());
    a.text("architecture", gpu.architecture)
        .integer("sm_count", gpu.multiprocessors)
        .integer("l2_bytes", static_cast<std::int64_t>(gpu.l2_bytes));
    vendor_.add_processors(gpu, a);
    // Candidates only: which image the driver accepts is known once the device is open.
    std::vector<std::string> fitting;
    for (const DeviceImage& image : images) fitting.push_back(image.described());
    a.texts("images", fitting);
    d.image = "";
    add_capability(gpu.architecture, a);
    const GpuAttributes& number = vendor_.attributes;
    const auto positive = [&](int attribute, double scale) {
      const int value = driver.attribute(attribute, gpu.handle);
      return value > 0 ? std::optional<double>(value * scale) : std::nullopt;
    };
    a.number("clock_mhz_max", positive(number.clock_khz, 1e-3))
        .number("memory_clock_mhz_max", positive(number.memory_clock_khz, 1e-3));
    a.number("memory_bus_bits", positive(number.memory_bus_bits, 1)).boolean("integrated", gpu.integrated);
    gpu.numa_node < 0 ? a.null("numa_node") : a.integer("numa_node", gpu.numa_node);
    gpu.is_mig ? a.object("mig", vendor_.describe_slice(gpu.name, gpu.pci_id)) : a.null("mig");
    vendor_.add_facts(gpu, options.sysfs_root, a);
    return d;
  }

  /** "sm_90" -> "9.0", "sm_120" -> "12.0" */
  void add_capability(const std::string& architecture, JsonObject& attributes) const {
    if (!vendor_.has_compute_capability) return;
    const std::string digits = architecture.substr(3);
    attributes.text("compute_capability", digits.substr(0, digits.size() - 1) + "." + digits.substr(digits.size() - 1));
  }

  const Vendor& vendor_;
};

}  // namespace

std::unique_ptr<Backend> make_gpu_backend(const Vendor& vendor) { return std::make_unique<GpuBackend>(vendor); }

}  // namespace gpumark
