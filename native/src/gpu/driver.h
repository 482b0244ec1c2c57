// A loaded vendor driver: libcuda or libamdhip64, its state, and calls that turn a bad result into an exception that
// names the call.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/driver-table.h"

namespace gpumark {

enum class GpuVendor { nvidia, amd };

/** A driver call that failed. `code` is the driver's number, `name` its word for it. */
class GpuError : public std::runtime_error {
 public:
  GpuError(const std::string& call, int code_, const std::string& name_)
      : std::runtime_error(call + " failed: " + name_ + " (" + std::to_string(code_) + ")"), code(code_), name(name_) {}
  int code;
  std::string name;
};

class GpuDriver {
 public:
  /**
   * Loads and initialises. Never throws: what went wrong stands in status() and detail(). The library stays loaded for
   * good.
   */
  explicit GpuDriver(GpuVendor vendor);

  /** ok, no-driver, no-device, driver-too-old, error */
  const std::string& status() const { return status_; }
  const std::string& detail() const { return detail_; }
  const std::string& library() const { return library_; }
  GpuVendor vendor() const { return vendor_; }
  bool is_nvidia() const { return vendor_ == GpuVendor::nvidia; }
  /** True for the test suite's driver, which says so itself: nothing it measures is a GPU's. */
  bool simulated() const { return simulated_; }
  int device_count() const { return device_count_; }
  /** "13.0" (what the driver supports at most) or, for AMD, the version of the HIP runtime, "6.4.43482". */
  std::string runtime_version() const;

  const DriverTable& call() const { return table_; }
  /** @throws GpuError unless result is 0 */
  void check(int result, const char* what) const {
    if (result != 0) throw GpuError(what, result, error_name(result));
  }
  std::string error_name(int code) const;
  /** Attribute by its number in this vendor's enumeration; nothing where the driver does not know it. */
  int attribute(int number, int device, int fallback = 0) const;
  /** "sm_90" or "gfx942"; empty where an AMD driver does not say. */
  std::string architecture(int device) const;

 private:
  bool load();
  void start();
  void fail(const char* status, const std::string& detail) {
    status_ = status;
    detail_ = detail;
  }

  GpuVendor vendor_;
  DriverTable table_;
  void* handle_ = nullptr;
  std::string status_ = "ok";
  std::string detail_;
  std::string library_;
  int device_count_ = 0;
  bool simulated_ = false;
};

/** The codes both vendors give (cuda.h, hip_runtime_api.h). */
namespace gpu_code {
constexpr int kOutOfMemory = 2;
/** What the library for linking answers, where it stands in for the driver. */
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
