// libcuda, from CUDA 11.4 on.
#include <cstdio>

#include "gpu/gpu-device.h"
#include "gpu/vendors/vendors.h"
#include "protocol/events.h"
#include "sensors/nvml.h"

namespace gpumark {
namespace {

/** CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES (cuda.h); without it a launch gets 48 KiB at most. */
constexpr int kMostSharedBytes = 8;
/** CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: the maximum, so that as many blocks fit as planned. */
constexpr int kSharedCarveout = 9;
constexpr int kAllShared = 100;
constexpr unsigned kSharedWithoutAsking = 48 << 10;

/** 16 bytes to "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx". */
std::string uuid_text(const char bytes[16]) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(bytes[i]));
    text += two;
    if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
  }
  return text;
}

class CudaDriver final : public GpuDriver {
 public:
  CudaDriver() : GpuDriver(kNvidia) {
    if (!load_library()) return;
#define GPUMARK_BIND(member, cuda, hip, parameters) bind(cuda, table_.member);
    GPUMARK_DRIVER_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
#define GPUMARK_BIND(member, symbol, parameters) bind(symbol, cuda_.member);
    GPUMARK_CUDA_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
#define GPUMARK_FIND(member, symbol, parameters) find(symbol, cuda_.member);
    GPUMARK_CUDA_NEWER_CALLS(GPUMARK_FIND)
#undef GPUMARK_FIND
    start();
  }

  std::string runtime_version() const override {
    int version = 0;
    if (table_.driver_version(&version) != 0 || version <= 0) return "";
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  }

  std::string error_name(int code) const override {
    const char* name = nullptr;
    if (cuda_.cu_error_name) cuda_.cu_error_name(code, &name);
    return name ? name : "unknown error";
  }

  std::string architecture(int device) const override {
    const int major = attribute(kCudaAttributes.capability_major, device);
    const int minor = attribute(kCudaAttributes.capability_minor, device);
    return major == 0 ? "" : "sm_" + std::to_string(major) + std::to_string(minor);
  }

  void name(GpuDevice& device, const char* uuid) const override {
    // The name of a slice ends with its profile: "NVIDIA H100 80GB HBM3 MIG 1g.10gb".
    device.is_mig = device.name.find(" MIG ") != std::string::npos;
    if (uuid) device.uuid = (device.is_mig ? "MIG-" : "GPU-") + uuid_text(uuid);
  }

  Handle open(const GpuDevice& device) const override {
    Handle context = nullptr;
    check(cuda_.cu_context_retain(&context, device.handle), "opening the device");
    return context;
  }
  void close(const GpuDevice& device, Handle context) const override {
    if (context) cuda_.cu_context_release(device.handle);
  }
  int enter(const GpuDevice&, Handle context) const override { return cuda_.cu_context_set(context); }
  void reset(const GpuDevice& device) const override { cuda_.cu_context_reset(device.handle); }

  /**
   * CUDA loads kernels lazily by default (CUDA_MODULE_LOADING is left to the user). Up to 12.3 looking a kernel up
   * loads it; since 12.4 its first launch does, and would wait for the kernel that holds the stream.
   */
  int load_function(Handle function) const override {
    return cuda_.cu_function_load ? cuda_.cu_function_load(function) : 0;
  }
  int allow_shared(Handle function, unsigned bytes) const override {
    const int code = cuda_.cu_function_attribute(function, kSharedCarveout, kAllShared);
    if (code != 0 || bytes <= kSharedWithoutAsking) return code;
    return cuda_.cu_function_attribute(function, kMostSharedBytes, static_cast<int>(bytes));
  }

  int enable_peer(const GpuDevice&, Handle context) const override { return cuda_.cu_enable_peer(context, 0); }
  int copy_peer(const PeerMemory& to, const PeerMemory& from, std::size_t bytes, Handle stream) const override {
    return cuda_.cu_copy_peer(to.address, to.context, from.address, from.context, bytes, stream);
  }
  std::string connection(const GpuDevice& from, const GpuDevice& to, Cell& cell) const override {
    const std::string link = nvml_connection(from.pci_id, to.pci_id);
    if (!cell.peer_access)
      return link.rfind("PCIe", 0) == 0 ? link + ", host-staged (no peer access)" : "host-staged (no peer access)";
    return link.empty() ? "unknown" : link;
  }

  decltype(CudaCalls::cu_tensor_map_encode) tensor_map_encoder() const override { return cuda_.cu_tensor_map_encode; }

 private:
  CudaCalls cuda_;
};

}  // namespace

std::unique_ptr<GpuDriver> make_cuda_driver() { return std::make_unique<CudaDriver>(); }

}  // namespace gpumark
