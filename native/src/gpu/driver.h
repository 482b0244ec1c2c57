// A vendor's driver as seen by GpuContext and the benchmarks: the calls of the table, and a few operations that differ
// by driver (vendors/cuda-driver.cpp, vendors/hip-driver.cpp).
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/driver-table.h"

namespace gpumark {

struct Cell;
struct GpuDevice;
struct Vendor;

/** A driver call that failed. `code` is the driver's error number, `name` the driver's name for it. */
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
  /** The driver's error number behind a status that is not ok; 0 if there is none. */
  int code() const { return code_; }
  const std::string& library() const { return library_; }
  const Vendor& vendor() const { return vendor_; }
  /** True for the test suite's driver, which identifies itself: its figures are not those of a GPU. */
  bool simulated() const { return simulated_; }
  int device_count() const { return device_count_; }

  const DriverTable& call() const { return table_; }
  /** @throws GpuError unless result is 0 */
  void check(int result, const char* what) const {
    if (result != 0) throw GpuError(what, result, error_name(result));
  }
  /** Attribute by its number in this driver's enumeration; `fallback` if the driver does not know it. */
  int attribute(int number, int device, int fallback = 0) const;

  /** "13.0", the newest CUDA version that the driver supports, or the version of the HIP runtime, "6.4.43482". */
  virtual std::string runtime_version() const = 0;
  virtual std::string error_name(int code) const = 0;
  /** "sm_90" or "gfx942"; empty if unknown. */
  virtual std::string architecture(int device) const = 0;
  /** Sets `uuid` from the result of device_uuid (null: none), and whether the device is a slice of a card. */
  virtual void name(GpuDevice& device, const char* uuid) const = 0;

  /** Opens the device for this process. @returns the context for enter and close; may be null. @throws GpuError */
  virtual Handle open(const GpuDevice& device) const = 0;
  virtual void close(const GpuDevice& device, Handle context) const = 0;
  /** Makes the opened device current on the calling thread. @returns the driver's code */
  virtual int enter(const GpuDevice& device, Handle context) const = 0;
  /** For a vendor that renews contexts: destroys the closed device's context, even if a library still holds it. */
  virtual void reset(const GpuDevice& device) const = 0;

  /** Loads a kernel now rather than at its first launch. @returns the driver's code */
  virtual int load_function(Handle function) const = 0;
  /**
   * Allows launches of this kernel to request `bytes` of shared memory, and prefers shared memory over cache. @returns
   * the driver's code
   */
  virtual int allow_shared(Handle function, unsigned bytes) const = 0;

  /** Both are called on a thread that has entered `from`; copy_peer only enqueues. @returns the driver's code */
  virtual int enable_peer(const GpuDevice& to, Handle context) const = 0;
  virtual int copy_peer(const PeerMemory& to, const PeerMemory& from, std::size_t bytes, Handle stream) const = 0;
  /** The connection between two devices: "NVLink x18", "xGMI (2 hops)", "unknown". Further facts go to cell.details. */
  virtual std::string connection(const GpuDevice& from, const GpuDevice& to, Cell& cell) const = 0;

  /**
   * The call that encodes tensor maps (cuTensorMapEncodeTiled); null if there is none, and then the kernels that copy
   * by tensor maps are not used.
   */
  virtual decltype(CudaCalls::cu_tensor_map_encode) tensor_map_encoder() const { return nullptr; }

 protected:
  /** Nothing below throws: failures are reported by status() and detail(). */
  explicit GpuDriver(const Vendor& vendor) : vendor_(vendor) {}
  /** Loads the first of the vendor's libraries that is installed; it is never unloaded. */
  bool load_library();
  /** Resolves an optional call. */
  template <class Function>
  bool find(const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(look_up(symbol));
    return function != nullptr;
  }
  /** Resolves a required call; without it the driver is too old. */
  template <class Function>
  void bind(const char* symbol, Function& function) {
    need(find(symbol, function), symbol);
  }
  void need(bool found, const char* symbol) {
    if (!found && missing_.empty()) missing_ = symbol;
  }
  /** After all calls are bound: initialises the driver and counts its devices. */
  void start();

  DriverTable table_;

 private:
  void* look_up(const char* symbol) const;
  void fail(const char* status, const std::string& detail, int code = 0) {
    status_ = status;
    detail_ = detail;
    code_ = code;
  }

  const Vendor& vendor_;
  void* handle_ = nullptr;
  std::string status_ = "ok";
  std::string detail_;
  int code_ = 0;
  std::string library_;
  std::string missing_;
  int device_count_ = 0;
  bool simulated_ = false;
};

/**
 * The vendor's driver, loaded and started on first use, and never unloaded: drivers do not support being loaded again.
 */
const GpuDriver& driver_of(const Vendor& vendor);

/** Error codes common to both drivers (cuda.h, hip_runtime_api.h); a driver with other codes translates them. */
namespace gpu_code {
constexpr int kOutOfMemory = 2;
/** Returned by the stub library for linking, loaded instead of the driver. */
constexpr int kStubLibrary = 34;
constexpr int kInsufficientDriver = 35;
/** Another process has exclusive use of it (exclusive compute mode). */
constexpr int kDeviceUnavailable = 46;
constexpr int kNoDevice = 100;
constexpr int kInvalidDevice = 101;
constexpr int kNoBinary = 209;
constexpr int kEccUncorrectable = 214;
/** A memory hardware error contained to this process (H100 and later). */
constexpr int kContained = 226;
constexpr int kNotFound = 500;
constexpr int kPeerAlreadyEnabled = 704;
constexpr int kSystemNotReady = 802;
constexpr int kSystemDriverMismatch = 803;
constexpr int kCompatNotSupported = 804;
}  // namespace gpu_code

}  // namespace gpumark
