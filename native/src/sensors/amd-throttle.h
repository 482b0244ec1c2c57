// Throttle reasons of an AMD device, from the kernel's binary file gpu_metrics, which ROCm SMI and AMD SMI read too.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace gpumark {

/**
 * Read directly: amdsmi_get_violation_status waits 100 ms between two readings of its own, and its record's size
 * differs in every release. The file's header gives its version (kgd_pp_interface.h of Linux; offsets of 1.0 to 1.3
 * also in rocm_smi.h, rsmi_gpu_metrics_t):
 *
 * - 1.3: indep_throttle_status, one bit per reason, the same for all devices (amdgpu_smu.h, SMU_THROTTLER_*_BIT)
 *
 * - 1.6 to 1.8: for each kind of limit the time it has been active; a reason is active if its counter has grown since
 *   the last reading
 *
 * Other versions have device-specific bits, or none, and are not decoded.
 */
class AmdThrottle {
 public:
  explicit AmdThrottle(std::filesystem::path device_folder) : file_(std::move(device_folder / "gpu_metrics")) {}
  /** Bits of throttle-reasons.h; nullopt if unknown. */
  std::optional<unsigned> read();

 private:
  std::filesystem::path file_;
  std::optional<std::array<std::uint32_t, 5>> before_;
};

}  // namespace gpumark
