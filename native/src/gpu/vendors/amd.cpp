// AMD: HIP, hipBLASLt, RCCL, ROCm SMI and AMD SMI.
#include "gpu/gpu-device.h"
#include "gpu/pcie-link.h"
#include "gpu/vendors/vendors.h"
#include "sensors/amd-libraries.h"
#include "sensors/amd-smi.h"

namespace gpumark {
namespace {

/** On RDNA HIP counts work-group processors; data sheets count compute units, two per work-group processor. */
void add_processors(const GpuDevice& device, JsonObject& attributes) {
  const bool is_rdna = device.architecture.rfind("gfx1", 0) == 0 && device.architecture.size() == 7;
  attributes.text("sm_kind", is_rdna ? "work-group processors" : "compute units")
      .integer("compute_units", device.multiprocessors * (is_rdna ? 2 : 1));
  is_rdna ? attributes.integer("workgroup_processors", device.multiprocessors)
          : attributes.null("workgroup_processors");
}

std::unique_ptr<DeviceSensor> make_sensor(const GpuDevice& device, const std::string& sysfs_root) {
  return make_amd_sensor(sysfs_root, device.pci_id);
}

void refine_pcie_link(const std::string&, PcieLink&) {}

void add_facts(const GpuDevice& device, const std::string& sysfs_root, JsonObject& attributes) {
  add_amd_facts(sysfs_root, device.pci_id, read_pcie_link(kAmd, device.pci_id, sysfs_root).object(), attributes);
}

std::string holders(const GpuDevice&, bool) { return ""; }
bool has_lost(const GpuDevice& device) { return amd_has_lost(device.pci_id); }

/** HIP shows each partition of a card as a device of its own. */
JsonObject describe_slice(const std::string&, const std::string&) { return {}; }
std::vector<HiddenSlice> hidden_slices() { return {}; }

}  // namespace

const Vendor kAmd = {
    .id = "amd",
    .backend = "rocm",
    .version_attribute = "rocm_version",
    .visibility_variables = {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                             "GPU_DEVICE_ORDINAL"},
    // The number follows ROCm's version: 7 and 10 in 2026.
    .driver_library = {.stem = "libamdhip64", .newest = 16, .oldest = 5, .without_number = true},
    .driver_folders = rocm_folders,
    .oldest_release = "ROCm 5",
    .make_driver = make_hip_driver,
    .attributes = kHipAttributes,
    .renews_contexts = false,
    // HSA's default for a memory fault or an illegal instruction.
    .faults_end_process = true,
    .has_compute_capability = false,
    .add_processors = add_processors,
    // The data-centre parts (MI300) have it behind the L2 cache, the only one that HIP reports.
    .untold_cache_bytes = std::size_t{256} << 20,
    // gfx11
    .cycle_counter_bits = 20,
    .toolkit = rocm_toolkit(),
    .runtime_call = "hipGetDeviceCount",
    .runtime_name = "HIP runtime",
    // Well above the current number (1 since ROCm 7). PyTorch's packages for ROCm drop the number.
    .blas = {.library = {.stem = "libhipblaslt", .newest = 6, .oldest = 0, .without_number = true},
             .home_folders = {"/lib", "/lib64"},
             // ROCm's own packages: _rocm_sdk_libraries_gfx94X_dcgpu and the like.
             .package_folders = {{"", "_rocm_sdk_libraries", "/lib"}},
             .in_conda = true},
    .make_blas = make_hipblaslt,
    .collective_name = "rccl",
    .collective_variable = "GPUMARK_RCCL_PATH",
    // The range allows for changes: ROCm has renumbered other libraries between releases.
    .collective = {.library = {.stem = "librccl", .newest = 4, .oldest = 1, .without_number = true},
                   .home_folders = {"/lib64", "/lib"},
                   .package_folders = {{"", "_rocm_sdk_libraries", "/lib"}},
                   .in_conda = false},
    .make_sensor = make_sensor,
    .add_facts = add_facts,
    .refine_pcie_link = refine_pcie_link,
    .holders = holders,
    .has_lost = has_lost,
    .describe_slice = describe_slice,
    .hidden_slices = hidden_slices,
};

}  // namespace gpumark
