// Why an AMD device runs below its clock, out of the kernel's binary file gpu_metrics, which ROCm SMI and AMD SMI read
// too.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace gpumark {

/**
 * Read directly: amdsmi_get_violation_status waits 100 ms between two looks of its own, and its record has another size
 * in every release. The file's head says which version it is (kgd_pp_interface.h of Linux; offsets of 1.0 to 1.3 also
 * in rocm_smi.h, rsmi_gpu_metrics_t):
 *
 * - 1.3: indep_throttle_status, one bit per reason, the same for all devices (amdgpu_smu.h, SMU_THROTTLER_*_BIT)
 *
 * - 1.6 to 1.8: for each kind of limit how long it has held; a reason holds if its number grew since the last look
 *
 * Others have the bits of one device alone, or none: nothing is said of them.
 */
class AmdThrottle {
 public:
  explicit AmdThrottle(std::filesystem::path device_folder) : file_(std::move(device_folder / "gpu_metrics")) {}
  /** Bits of throttle-reasons.h; nothing if the kernel does not say. */
  std::optional<unsigned> read();

 private:
  std::filesystem::path file_;
  std::optional<std::array<std::uint32_t, 5>> before_;
};

}  // namespace gpumark
