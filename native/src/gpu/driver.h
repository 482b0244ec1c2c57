// A vendor's driver as GpuContext and the benchmarks know it: the calls of the table, and a few things that each driver
// does in its own way (vendors/cuda-driver.cpp, vendors/hip-driver.cpp).
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/driver-table.h"

namespace gpumark {

struct Cell;
struct GpuDevice;
struct Vendor;

/** A driver call that failed. `code` is the driver's number, `name` its word for it. */
class GpuError : public std::runtime_error {
 public:
  GpuError(const std::string& call, int code_, const std::string& name_)
      : std::runtime_error(call + " failed: " + name_ + " (" + std::to_string(code_) + ")"), code(code_), name(name_) {}
  int code;
  std::string name;
};

/** Memory of an opened device, as one end of a copy between two. */
struct PeerMemory {
  const GpuDevice& device;
  Handle context;
  DevicePointer address;
};

class GpuDriver {
 public:
  virtual ~GpuDriver() = default;
  GpuDriver(const GpuDriver&) = delete;
  GpuDriver& operator=(const GpuDriver&) = delete;

  /** ok, no-driver, no-device, driver-too-old, error */
  const std::string& status() const { return status_; }
  const std::string& detail() const { return detail_; }
  const std::string& library() const { return library_; }
  const Vendor& vendor() const { return vendor_; }
  /** True for the test suite's driver, which says so itself: nothing it measures is a GPU's. */
  bool simulated() const { return simulated_; }
  int device_count() const { return device_count_; }

  const DriverTable& call() const { return table_; }
  /** @throws GpuError unless result is 0 */
  void check(int result, const char* what) const {
    if (result != 0) throw GpuError(what, result, error_name(result));
  }
  /** Attribute by its number in this driver's enumeration; `fallback` if the driver does not know it. */
  int attribute(int number, int device, int fallback = 0) const;

  /** "13.0" (what the driver supports at most), or the version of the HIP runtime, "6.4.43482". */
  virtual std::string runtime_version() const = 0;
  virtual std::string error_name(int code) const = 0;
  /** "sm_90" or "gfx942"; empty if the driver does not say. */
  virtual std::string architecture(int device) const = 0;
  /** Fills in `uuid`, from what device_uuid gave (null: nothing), and whether the device is a slice of a card. */
  virtual void name(GpuDevice& device, const char* uuid) const = 0;

  /** Takes the device for this process. @returns what enter and close want; may be null. @throws GpuError */
  virtual Handle open(const GpuDevice& device) const = 0;
  virtual void close(const GpuDevice& device, Handle context) const = 0;
  /** Makes the opened device the calling thread's. @returns the driver's code */
  virtual int enter(const GpuDevice& device, Handle context) const = 0;
  /** Of a vendor that renews contexts: ends the closed device's, also if a library still holds on to it. */
  virtual void reset(const GpuDevice& device) const = 0;

  /** Loads a found kernel now rather than at its first launch. @returns the driver's code */
  virtual int load_function(Handle function) const = 0;
  /**
   * Lets launches of this kernel ask for so much shared memory, and the device prefer it to a cache.
   * @returns the driver's code
   */
  virtual int allow_shared(Handle function, unsigned bytes) const = 0;

  /** Both on a thread that has entered `from`; the second enqueues. @returns the driver's code */
  virtual int enable_peer(const GpuDevice& to, Handle context) const = 0;
  virtual int copy_peer(const PeerMemory& to, const PeerMemory& from, std::size_t bytes, Handle stream) const = 0;
  /** What lies between two devices: "NVLink x18", "xGMI (2 hops)", "unknown". Further facts go to cell.details. */
  virtual std::string connection(const GpuDevice& from, const GpuDevice& to, Cell& cell) const = 0;

  /**
   * The call that makes tensor maps (cuTensorMapEncodeTiled), for kernels that copy by them; null if there is none, and
   * then those kernels are not used.
   */
  virtual decltype(CudaCalls::cu_tensor_map_encode) tensor_map_encoder() const { return nullptr; }

 protected:
  /** What went wrong from here on stands in status() and detail(); nothing of this throws. */
  explicit GpuDriver(const Vendor& vendor) : vendor_(vendor) {}
  /** Loads the first of the vendor's libraries that is there; for good. */
  bool load_library();
  /** Looks a call up that may be missing. */
  template <class Function>
  bool find(const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(look_up(symbol));
    return function != nullptr;
  }
  /** Looks a call up without which the driver is too old. */
  template <class Function>
  void bind(const char* symbol, Function& function) {
    need(find(symbol, function), symbol);
  }
  void need(bool found, const char* symbol) {
    if (!found && missing_.empty()) missing_ = symbol;
  }
  /** Once all calls are bound: initialises the driver and counts its devices. */
  void start();

  DriverTable table_;

 private:
  void* look_up(const char* symbol) const;
  void fail(const char* status, const std::string& detail) {
    status_ = status;
    detail_ = detail;
  }

  const Vendor& vendor_;
  void* handle_ = nullptr;
  std::string status_ = "ok";
  std::string detail_;
  std::string library_;
  std::string missing_;
  int device_count_ = 0;
  bool simulated_ = false;
};

/** The vendor's driver, loaded and started when first asked for. Drivers do not survive being unloaded: never again. */
const GpuDriver& driver_of(const Vendor& vendor);

/** The codes both drivers give (cuda.h, hip_runtime_api.h); one that counts otherwise translates its own. */
namespace gpu_code {
constexpr int kOutOfMemory = 2;
/** What the library for linking answers if it stands in for the driver. */
constexpr int kStubLibrary = 34;
constexpr int kInsufficientDriver = 35;
/** Another process has it for itself (exclusive compute mode). */
constexpr int kDeviceUnavailable = 46;
constexpr int kNoDevice = 100;
constexpr int kInvalidDevice = 101;
constexpr int kNoBinary = 209;
constexpr int kEccUncorrectable = 214;
/** A hardware error of the memory that was kept to this process (H100 and later). */
constexpr int kContained = 226;
constexpr int kNotFound = 500;
constexpr int kPeerAlreadyEnabled = 704;
constexpr int kSystemNotReady = 802;
constexpr int kSystemDriverMismatch = 803;
constexpr int kCompatNotSupported = 804;
}  // namespace gpu_code

}  // namespace gpumark
