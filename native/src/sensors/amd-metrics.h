// The kernel's binary file gpu_metrics of an AMD device, which ROCm SMI and AMD SMI read too.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace gpumark {

/**
 * Read directly: amdsmi_get_violation_status waits 100 ms between two readings of its own, and its record's size
 * differs in every release. The file's header gives its version (kgd_pp_interface.h of Linux; offsets of 1.0 to 1.3
 * also in rocm_smi.h, rsmi_gpu_metrics_t). Versions other than these have device-specific bits, or none, or (1.9) no
 * fixed layout, and are not decoded.
 */
struct AmdMetrics {
  /** Of 1.3: one bit per reason, the same for all devices (amdgpu_smu.h, SMU_THROTTLER_*_BIT). */
  std::optional<std::uint64_t> independent_status;
  /** Of 1.6 to 1.8: ticks of the firmware, and for how many of them each limit held, in the file's order. */
  struct Residencies {
    std::uint32_t ticks;
    /** prochot, ppt, socket_thm, vr_thm, hbm_thm */
    std::array<std::uint32_t, 5> held;
  };
  std::optional<Residencies> residencies;
  /** Of 1.6 to 1.8: lanes and Gbit/s of all links alike. */
  std::optional<std::uint16_t> xgmi_width, xgmi_speed;
  /** Of 1.7 and 1.8: 1 up, 0 down, all bits: no such link. */
  std::vector<std::uint16_t> xgmi_status;
};

/** nullopt if the kernel has no such file, or one of a version that is not decoded. */
std::optional<AmdMetrics> read_amd_metrics(const std::filesystem::path& device_folder);

}  // namespace gpumark
