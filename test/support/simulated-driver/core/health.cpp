#include "core/health.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "core/settings.h"

namespace gpumark::sim {
namespace {

constexpr const char* kKinds[] = {
    // both vendors
    "pcie-replays", "vbios",
    // NVIDIA
    "ecc-mode", "ecc-mode-pending", "ecc-corrected", "ecc-uncorrected", "ecc-corrected-lifetime",
    "ecc-uncorrected-lifetime", "row-remap-correctable", "row-remap-uncorrectable", "row-remap-pending",
    "row-remap-failure", "retired-single-bit", "retired-double-bit", "retired-pending", "pcie-generation", "pcie-width",
    "nvlink-inactive", "nvlink-speed", "nvlink-crc-flit", "nvlink-crc-data", "nvlink-replay", "nvlink-recovery",
    "nvlink-ecc", "nvlink-recovery-failed", "nvlink-receive", "nvlink-integrity", "nvlink-overrun", "nvlink-malformed",
    "nvlink-discards", "application-clock", "application-memory-clock", "gsp", "fabric-state", "fabric-status",
    "fabric-degraded-bandwidth", "fabric-route-recovery", "fabric-route-unhealthy", "fabric-access-timeout",
    "fabric-configuration", "fabric-summary", "recovery-action", "violation-power", "violation-thermal",
    "violation-sync-boost", "violation-board", "throttle-bits", "xid",
    // AMD
    "bad-pages-retired", "bad-pages-pending", "bad-pages-unreservable", "ras-corrected", "ras-uncorrected",
    "ras-deferred", "xgmi-corrected", "xgmi-uncorrected", "xgmi-down"};

[[noreturn]] void refuse(const Fault& fault) {
  std::fprintf(stderr, "simulated driver: GPUMARK_SIM_FAULT=%s:%s is not a valid value\n", fault.kind.c_str(),
               fault.value.c_str());
  _exit(99);
}

}  // namespace

bool is_health_kind(const std::string& kind) {
  for (const char* known : kKinds) {
    if (kind == known) return true;
  }
  return false;
}

HealthReading health(const Device& device, const char* kind, std::uint64_t healthy) {
  const Fault* fault = settings().fault(kind, device.ordinal);
  if (!fault) return {.value = healthy};
  if (fault->value == "none") return {.refusal = HealthReading::Refusal::unsupported};
  if (fault->value == "denied") return {.refusal = HealthReading::Refusal::denied};
  const bool grows = fault->value.rfind('+', 0) == 0;
  const bool falls = fault->value.rfind('-', 0) == 0;
  const char* begin = fault->value.c_str() + (grows || falls);
  char* end = nullptr;
  const std::uint64_t value = fault->value.empty() ? 1 : std::strtoull(begin, &end, 10);
  if (end && (*end != '\0' || end == begin)) refuse(*fault);
  if (falls) return {.value = device.launches() > 0 ? healthy : value};
  if (!grows) return {.value = value};
  return {.value = healthy + (device.launches() > 0 ? value : 0)};
}

std::string health_text(const Device& device, const char* kind, const std::string& healthy) {
  const Fault* fault = settings().fault(kind, device.ordinal);
  return fault ? fault->value : healthy;
}

}  // namespace gpumark::sim
