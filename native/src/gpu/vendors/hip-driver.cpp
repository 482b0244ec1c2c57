// libamdhip64, from ROCm 5 on.
#include <cctype>
#include <cstring>

#include "gpu/gpu-device.h"
#include "gpu/vendors/vendors.h"
#include "protocol/events.h"

namespace gpumark {
namespace {

/** HIP returns the 16 characters of the unique id as text; boards without one return an empty text or zeros. */
std::string uuid_text(const char bytes[16]) {
  std::string text;
  for (int i = 0; i < 16 && std::isxdigit(static_cast<unsigned char>(bytes[i])); ++i) text += bytes[i];
  return text.size() < 8 || text.find_first_not_of('0') == std::string::npos ? "" : "GPU-" + text;
}

class HipDriver final : public GpuDriver {
 public:
  HipDriver() : GpuDriver(kAmd) {
    if (!load_library()) return;
#define GPUMARK_BIND(member, cuda, hip, parameters) bind(hip, table_.member);
    GPUMARK_DRIVER_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
#define GPUMARK_BIND(member, symbol, parameters) bind(symbol, hip_.member);
    GPUMARK_HIP_CALLS(GPUMARK_BIND)
#undef GPUMARK_BIND
    bind("hipGetErrorName", hip_.hip_error_name);
    // ROCm 6 changed the structure and gave the call a new name, tried first; the old name keeps the old layout.
    need(
        find("hipGetDevicePropertiesR0600", hip_.hip_properties) || find("hipGetDeviceProperties", hip_.hip_properties),
        "hipGetDeviceProperties");
    start();
  }

  std::string runtime_version() const override {
    int version = 0;
    if (table_.driver_version(&version) != 0 || version <= 0) return "";
    // major * 10^7 + minor * 10^5 + patch
    return std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100) + "." +
           std::to_string(version % 100000);
  }

  std::string error_name(int code) const override {
    const char* name = hip_.hip_error_name ? hip_.hip_error_name(code) : nullptr;
    return name ? name : "unknown error";
  }

  /** gcnArchName is the only text of the structure that begins with gfx; "gfx90a:sramecc+:xnack-" ends at the colon. */
  std::string architecture(int device) const override {
    constexpr std::size_t kRoom = 8192;
    std::vector<char> properties(kRoom, 0);
    if (hip_.hip_properties(properties.data(), device) != 0) return "";
    for (std::size_t i = 0; i + 8 < kRoom; ++i) {
      if (std::memcmp(&properties[i], "gfx", 3) != 0) continue;
      std::string name;
      for (std::size_t j = i; j < i + 16 && std::isalnum(static_cast<unsigned char>(properties[j])); ++j)
        name += properties[j];
      return name;
    }
    return "";
  }

  void name(GpuDevice& device, const char* uuid) const override {
    if (uuid) device.uuid = uuid_text(uuid);
  }

  /** HIP has no contexts: a device is opened by using it. */
  Handle open(const GpuDevice&) const override { return nullptr; }
  void close(const GpuDevice&, Handle) const override {}
  int enter(const GpuDevice& device, Handle) const override { return hip_.hip_set_device(device.ordinal); }
  void reset(const GpuDevice&) const override {}

  /** Kernels are loaded with their module, and a launch may request all shared memory. */
  int load_function(Handle) const override { return 0; }
  int allow_shared(Handle, unsigned) const override { return 0; }

  int enable_peer(const GpuDevice& to, Handle) const override { return hip_.hip_enable_peer(to.ordinal, 0); }
  int copy_peer(const PeerMemory& to, const PeerMemory& from, std::size_t bytes, Handle stream) const override {
    return hip_.hip_copy_peer(to.address, to.device.ordinal, from.address, from.device.ordinal, bytes, stream);
  }
  std::string connection(const GpuDevice& from, const GpuDevice& to, Cell& cell) const override {
    std::uint32_t type = 0, hops = 0;
    const bool known = hip_.hip_link_type(from.ordinal, to.ordinal, &type, &hops) == 0;
    if (known) cell.details.integer("hops", hops);
    if (!cell.peer_access) return "host-staged (no peer access)";
    // Link types of the HSA runtime (hsa_ext_amd.h): 2 PCI Express, 4 xGMI.
    if (known && type == 4) return hops > 1 ? "xGMI (" + std::to_string(hops) + " hops)" : "xGMI";
    return known && type == 2 ? "PCIe" : "unknown";
  }

 private:
  HipCalls hip_;
};

}  // namespace

std::unique_ptr<GpuDriver> make_hip_driver() { return std::make_unique<HipDriver>(); }

}  // namespace gpumark
