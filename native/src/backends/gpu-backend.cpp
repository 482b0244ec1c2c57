// The GPUs of one vendor: which there are, in what state, and how to open one.
#include <cstdlib>
#include <mutex>

#include "backends/backend.h"
#include "gpu/attributes.h"
#include "gpu/copy-matrix.h"
#include "gpu/gpu-session.h"
#include "gpu/images.h"
#include "gpu/pcie-link.h"
#include "sensors/amd-smi.h"
#include "sensors/nvml.h"

namespace gpumark {
namespace {

/** Variables by which a launcher hides devices from a process; all that are set, as they are set. */
std::string visible_devices(GpuVendor vendor) {
  std::string words;
  for (const char* name :
       vendor == GpuVendor::nvidia
           ? std::vector<const char*>{"CUDA_VISIBLE_DEVICES"}
           : std::vector<const char*>{"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
    if (const char* value = std::getenv(name)) words += (words.empty() ? "" : " ") + std::string(name) + "=" + value;
  }
  return words;
}

class GpuBackend : public Backend {
 public:
  explicit GpuBackend(GpuVendor vendor) : vendor_(vendor) {}
  const char* name() const override { return vendor_ == GpuVendor::nvidia ? "cuda" : "rocm"; }
  const char* why_not(const BenchmarkSpec& spec) const override { return why_no_gpu_measures(spec); }

  std::vector<Device> list(const RunOptions& options) override {
    const GpuDriver& driver = started();
    if (driver.status() != "ok") return {entry(driver.status(), driver.detail())};
    std::vector<Device> devices;
    for (const GpuDevice& gpu : identify_all(driver, options.sysfs_root))
      devices.push_back(describe(driver, gpu, options));
    // Whoever named devices wants no others.
    if (vendor_ == GpuVendor::nvidia && !std::getenv("CUDA_VISIBLE_DEVICES")) add_instances(driver, devices);
    return devices;
  }

  std::unique_ptr<Session> open(const Device& device, const RunOptions& options, Recorder& recorder) override {
    const GpuDriver& driver = started();
    for (const GpuDevice& gpu : identify_all(driver, options.sysfs_root)) {
      if (gpu.id == device.device_id && gpu.problem.empty())
        return std::make_unique<GpuSession>(driver, gpu, options, recorder);
    }
    if (!device.own_process.empty()) {
      throw DeviceUnusable("driver_call_failed",
                           device.device_id + " is a MIG instance, of which a process sees one only",
                           "Set CUDA_VISIBLE_DEVICES=" + device.own_process + " and run it again.");
    }
    throw DeviceUnusable("driver_call_failed", device.device_id + " is not there any more",
                         "Check the card with the tools of its maker (nvidia-smi, rocm-smi).");
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
  /**
   * Starting a driver can take seconds per card, so only when somebody asks. Drivers do not survive being unloaded:
   * once per process.
   */
  const GpuDriver& started() const {
    static const GpuDriver* drivers[2] = {};
    static std::mutex mutex;
    const std::lock_guard<std::mutex> hold(mutex);
    const GpuDriver*& driver = drivers[vendor_ == GpuVendor::nvidia ? 0 : 1];
    if (!driver) driver = new GpuDriver(vendor_);
    return *driver;
  }

  Device entry(const std::string& status, const std::string& detail) const {
    Device device;
    device.backend = name();
    device.vendor = vendor_ == GpuVendor::nvidia ? "nvidia" : "amd";
    device.status = status;
    device.detail = detail;
    device.device_id = device.backend;
    device.name = device.vendor;
    device.simulated = started().simulated();
    const std::string visible = visible_devices(vendor_);
    if (!visible.empty()) device.attributes.text("visible_devices", visible);
    return device;
  }

  /**
   * MIG instances that the driver does not show to this process. What only it could tell of them, a process of their
   * own tells.
   */
  void add_instances(const GpuDriver& driver, std::vector<Device>& devices) const {
    for (const NvmlInstance& instance : nvml_instances()) {
      bool known = false;
      for (const Device& device : devices) known = known || device.device_id == instance.uuid;
      if (known) continue;
      const std::vector<DeviceImage> images = images_for(vendor_, instance.architecture);
      Device d = entry(images.empty() ? "error" : "ok",
                       images.empty() ? "this build has no image for " + instance.architecture : "");
      d.device_id = instance.uuid;
      d.pci_id = instance.pci_id;
      d.name = instance.name;
      d.memory_bytes = static_cast<double>(instance.memory_bytes);
      d.own_process = instance.uuid;
      d.image = "";
      JsonObject& a = d.attributes;
      a.text("uuid", instance.uuid)
          .text("driver_library", driver.library())
          .text("cuda_version", driver.runtime_version())
          .text("architecture", instance.architecture);
      if (!instance.architecture.empty()) a.text("compute_capability", capability(instance.architecture));
      a.object("mig", mig_object(instance.name, instance.pci_id));
      add_nvml_facts(instance.pci_id, instance.uuid, a);
      devices.push_back(std::move(d));
    }
  }

  Device describe(const GpuDriver& driver, const GpuDevice& gpu, const RunOptions& options) const {
    const std::vector<DeviceImage> images = images_for(vendor_, gpu.architecture);
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
    a.text("driver_library", driver.library())
        .text(vendor_ == GpuVendor::nvidia ? "cuda_version" : "rocm_version", driver.runtime_version());
    a.text("architecture", gpu.architecture)
        .integer("sm_count", gpu.multiprocessors)
        .integer("l2_bytes", static_cast<std::int64_t>(gpu.l2_bytes));
    add_processors(gpu, a);
    // The driver has the last word on them; which one it took is known once the device is open.
    std::vector<std::string> fitting;
    for (const DeviceImage& image : images) fitting.push_back(image.described());
    a.texts("images", fitting);
    d.image = "";
    if (vendor_ == GpuVendor::nvidia) a.text("compute_capability", capability(gpu.architecture));
    const GpuAttributes& number = attributes_of(vendor_);
    const auto positive = [&](int attribute, double scale) {
      const int value = driver.attribute(attribute, gpu.handle);
      return value > 0 ? std::optional<double>(value * scale) : std::nullopt;
    };
    a.number("clock_mhz_max", positive(number.clock_khz, 1e-3))
        .number("memory_clock_mhz_max", positive(number.memory_clock_khz, 1e-3));
    a.number("memory_bus_bits", positive(number.memory_bus_bits, 1)).boolean("integrated", gpu.integrated);
    gpu.numa_node < 0 ? a.null("numa_node") : a.integer("numa_node", gpu.numa_node);
    gpu.is_mig ? a.object("mig", mig_object(gpu.name, gpu.pci_id)) : a.null("mig");
    if (vendor_ == GpuVendor::nvidia) {
      add_nvml_facts(gpu.pci_id, gpu.is_mig ? gpu.uuid : "", a);
    } else {
      a.object("pcie", read_pcie_link(vendor_, gpu.pci_id, options.sysfs_root).object());
      add_amd_facts(options.sysfs_root, gpu.pci_id, a);
    }
    return d;
  }

  /**
   * What `sm_count` counts: HIP takes RDNA's work-group processors, of two compute units each, which data sheets count.
   */
  static void add_processors(const GpuDevice& gpu, JsonObject& a) {
    const bool is_amd = gpu.architecture.rfind("gfx", 0) == 0;
    const bool is_rdna = gpu.architecture.rfind("gfx1", 0) == 0 && gpu.architecture.size() == 7;
    a.text("sm_kind", is_rdna ? "work-group processors" : is_amd ? "compute units" : "streaming multiprocessors");
    is_amd ? a.integer("compute_units", gpu.multiprocessors * (is_rdna ? 2 : 1)) : a.null("compute_units");
    is_rdna ? a.integer("workgroup_processors", gpu.multiprocessors) : a.null("workgroup_processors");
  }

  static JsonObject mig_object(const std::string& name, const std::string& pci_id) {
    JsonObject mig;
    const std::size_t profile = name.find(" MIG ");
    mig.boolean("enabled", true).text("instance", profile == std::string::npos ? name : name.substr(profile + 5));
    const std::optional<std::string> card = nvml_card_uuid(pci_id);
    return card ? mig.text("parent_uuid", *card) : mig.null("parent_uuid");
  }

  /** "sm_90" -> "9.0", "sm_120" -> "12.0" */
  static std::string capability(const std::string& architecture) {
    const std::string digits = architecture.substr(3);
    return digits.substr(0, digits.size() - 1) + "." + digits.substr(digits.size() - 1);
  }

  GpuVendor vendor_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend() { return std::make_unique<GpuBackend>(GpuVendor::nvidia); }
std::unique_ptr<Backend> make_rocm_backend() { return std::make_unique<GpuBackend>(GpuVendor::amd); }

}  // namespace gpumark
