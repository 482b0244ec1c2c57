// NVIDIA: CUDA, cuBLASLt, NCCL, NVML.
#include "gpu/gpu-device.h"
#include "gpu/pcie-link.h"
#include "gpu/vendors/vendors.h"
#include "sensors/nvml.h"

namespace gpumark {
namespace {

void add_processors(const GpuDevice&, JsonObject& attributes) {
  attributes.text("sm_kind", "streaming multiprocessors").null("compute_units").null("workgroup_processors");
}

/** A slice's processes and memory are not the card's. */
std::string slice_uuid(const GpuDevice& device) { return device.is_mig ? device.uuid : ""; }

std::unique_ptr<DeviceSensor> make_sensor(const GpuDevice& device, const std::string&) {
  return make_nvml_sensor(device.pci_id, device.is_mig);
}

void add_facts(const GpuDevice& device, const std::string&, JsonObject& attributes) {
  add_nvml_facts(device.pci_id, slice_uuid(device), attributes);
}

void refine_pcie_link(const std::string& pci_id, PcieLink& link) {
  std::string problem;
  const Nvml& nvml = Nvml::instance();
  NvmlDevice device = nvml.find(pci_id, problem);
  if (!device) return;
  const auto prefer = [&](std::optional<double>& value, int (*call)(NvmlDevice, unsigned*)) {
    if (const auto known = Nvml::number(call, device)) value = known;
  };
  prefer(link.generation, nvml.call().pcie_generation);
  prefer(link.width, nvml.call().pcie_width);
  prefer(link.generation_max, nvml.call().pcie_generation_max);
  prefer(link.width_max, nvml.call().pcie_width_max);
}

bool has_lost(const GpuDevice& device) { return nvml_has_lost(device.pci_id); }

std::string holders(const GpuDevice& device, bool has_context) {
  return nvml_holders(device.pci_id, slice_uuid(device), has_context);
}

/** UUID of the card at this address; nullopt if NVML does not report it. */
std::optional<std::string> card_uuid(const std::string& pci_id) {
  std::string problem;
  NvmlDevice device = Nvml::instance().find(pci_id, problem);
  return device ? Nvml::text(Nvml::instance().call().uuid, device) : std::nullopt;
}

JsonObject describe_slice(const std::string& name, const std::string& pci_id) {
  JsonObject mig;
  const std::size_t profile = name.find(" MIG ");
  mig.boolean("enabled", true).text("instance", profile == std::string::npos ? name : name.substr(profile + 5));
  const std::optional<std::string> card = card_uuid(pci_id);
  return card ? mig.text("parent_uuid", *card) : mig.null("parent_uuid");
}

/** "MIG enabled, but no instance": CUDA shows neither the card nor a part of it, and may show no other card either. */
HiddenSlice empty_card(const NvmlTable& call, NvmlDevice card, const NvmlPciInfo& pci) {
  return {Nvml::text(call.uuid, card).value_or(""),
          Nvml::text(call.name, card).value_or("NVIDIA card"),
          kernel_pci_id(pci.bus_id),
          "",
          0,
          "",
          "MIG is enabled on this card, but it has no MIG instance"};
}

/** A CUDA process sees at most one MIG instance: the first, or the one named in CUDA_VISIBLE_DEVICES. */
std::vector<HiddenSlice> hidden_slices() {
  const NvmlTable& call = Nvml::instance().call();
  std::vector<HiddenSlice> slices;
  unsigned cards = 0;
  if (!Nvml::instance().problem().empty() || !call.device_count || !call.by_index || !call.mig_count ||
      !call.mig_by_index || call.device_count(&cards) != 0)
    return slices;
  for (unsigned i = 0; i < cards; ++i) {
    NvmlDevice card = nullptr;
    unsigned most = 0;
    NvmlPciInfo pci = {};
    if (call.by_index(i, &card) != 0 || call.mig_count(card, &most) != 0 || !call.pci_info ||
        call.pci_info(card, &pci) != 0)
      continue;
    // Indices of deleted instances stay empty. Another failure says nothing about whether there is one.
    unsigned not_found = 0, current = 0, pending = 0;
    for (unsigned j = 0; j < most; ++j) {
      NvmlDevice instance = nullptr;
      const int code = call.mig_by_index(card, j, &instance);
      not_found += code == nvml::kNotFound;
      if (code != 0) continue;
      const auto uuid = Nvml::text(call.uuid, instance), name = Nvml::text(call.name, instance);
      NvmlMemory memory = {};
      const bool has_memory = call.memory && call.memory(instance, &memory) == 0;
      int major = 0, minor = 0;
      const bool knows = call.capability && call.capability(card, &major, &minor) == 0;
      if (uuid)
        slices.push_back({*uuid, name.value_or("MIG instance"), kernel_pci_id(pci.bus_id),
                          knows ? "sm_" + std::to_string(major) + std::to_string(minor) : "",
                          has_memory ? memory.total : 0, "CUDA_VISIBLE_DEVICES=" + *uuid, ""});
    }
    if (most > 0 && not_found == most && call.mig_mode && call.mig_mode(card, &current, &pending) == 0 && current)
      slices.push_back(empty_card(call, card, pci));
  }
  return slices;
}

}  // namespace

const Vendor kNvidia = {
    .id = "nvidia",
    .backend = "cuda",
    .version_attribute = "cuda_version",
    .visibility_variables = {"CUDA_VISIBLE_DEVICES"},
    // The number has been 1 since 2008.
    .driver_library = {.stem = "libcuda", .newest = 1, .oldest = 1, .without_number = true},
    .driver_folders = nvidia_driver_folders,
    .oldest_release = "CUDA 11.4",
    .make_driver = make_cuda_driver,
    .attributes = kCudaAttributes,
    .renews_contexts = true,
    .faults_end_process = false,
    .has_compute_capability = true,
    .add_processors = add_processors,
    .untold_cache_bytes = 0,
    .cycle_counter_bits = 64,
    .toolkit = {.parent = "/usr/local",
                .name = "cuda",
                .variables = {"CUDA_HOME", "CUDA_PATH", "NVHPC_ROOT"},
                .release_parents = {"/opt/nvidia/hpc_sdk/Linux_x86_64", "/opt/nvidia/hpc_sdk/Linux_aarch64"}},
    .runtime_call = nullptr,
    .runtime_name = "",
    // Well above the current version (13), so that the next release is found. An incompatible library is detected: one
    // that lacks the calls is skipped, and each product is verified.
    .blas = {.library = {.stem = "libcublasLt", .newest = 18, .oldest = 11, .without_number = true},
             // The last one is of the HPC SDK.
             .home_folders = {"/lib64", "/lib", "/targets/x86_64-linux/lib", "/targets/sbsa-linux/lib",
                              "/math_libs/lib64"},
             // "cu13", "cu14"; CUDA 12 and before have a package per library, "cublas" among them.
             .package_folders = {{"/nvidia", "cu1", "/lib"}, {"/nvidia/cublas/lib", "", ""}},
             .in_conda = true},
    .make_blas = make_cublaslt,
    .collective_name = "nccl",
    .collective_variable = "GPUMARK_NCCL_PATH",
    // The number has always been 2. NCCL 3 would have another, unknown interface.
    .collective = {.library = {.stem = "libnccl", .newest = 2, .oldest = 2, .without_number = false},
                   .home_folders = {"/lib64", "/lib", "/comm_libs/nccl/lib"},
                   .package_folders = {{"/nvidia/nccl/lib", "", ""}},
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
