#include "core/settings.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <unistd.h>

#include "core/health.h"

namespace gpumark::sim {
namespace {

constexpr const char* kFaultKinds[] = {
    "out-of-memory", "launch-failure",      "ecc-error",    "throttle-thermal", "power-cap",      "card-lost",
    "old-driver",    "wrong-image",         "stuck-energy", "wrong-energy",     "nvml-missing",   "nvml-no-permission",
    "memory-taken",  "no-device",           "mig-empty",    "flip-bit",         "kernel-failure", "slow",
    "no-peer",       "nvml-new-calls-only", "kernel-abort", "call-lost",        "call-failure",   "call-out-of-memory"};

/** An invalid setting must not be ignored: the test that uses it would then test nothing. */
[[noreturn]] void refuse(const char* variable, const std::string& value) {
  std::fprintf(stderr, "simulated driver: %s=%s is not a valid value\n", variable, value.c_str());
  _exit(99);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

const char* text(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? value : nullptr;
}

std::uint64_t number(const char* variable, std::uint64_t low, std::uint64_t high, std::uint64_t fallback) {
  const char* value = text(variable);
  if (!value) return fallback;
  char* end = nullptr;
  const std::uint64_t parsed = std::strtoull(value, &end, 10);
  if (*end != '\0' || parsed < low || parsed > high) refuse(variable, value);
  return parsed;
}

Fault parse_fault(const std::string& entry) {
  Fault fault;
  const std::size_t colon = entry.find(':');
  const std::size_t at = entry.find('@');
  if (colon != std::string::npos) fault.value = entry.substr(colon + 1);
  const std::string head = entry.substr(0, colon);
  fault.kind = head.substr(0, at);
  if (at != std::string::npos && at < head.size()) {
    char* end = nullptr;
    fault.ordinal = static_cast<int>(std::strtol(head.c_str() + at + 1, &end, 10));
    if (*end != '\0' || end == head.c_str() + at + 1) refuse("GPUMARK_SIM_FAULT", entry);
  }
  for (const char* kind : kFaultKinds) {
    if (fault.kind == kind) return fault;
  }
  if (is_health_kind(fault.kind)) return fault;
  refuse("GPUMARK_SIM_FAULT", entry);
}

void read_architectures(Settings& read) {
  const char* list = text("GPUMARK_SIM_ARCH");
  for (const std::string& name : split(list ? list : "")) {
    if (name.rfind("sm_", 0) == 0) {
      read.nvidia_architectures.push_back(name);
    } else if (name.rfind("gfx", 0) == 0) {
      read.amd_architectures.push_back(name);
    } else {
      refuse("GPUMARK_SIM_ARCH", name);
    }
  }
  if (read.nvidia_architectures.empty()) read.nvidia_architectures = {"sm_90"};
  if (read.amd_architectures.empty()) read.amd_architectures = {"gfx942"};
}

Settings read_environment() {
  Settings read;
  read.devices = static_cast<int>(number("GPUMARK_SIM_DEVICES", 1, 16, 1));
  read.memory_bytes = number("GPUMARK_SIM_MEMORY_MIB", 32, 65536, 512) << 20;
  read.l2_bytes = number("GPUMARK_SIM_L2_KIB", 16, 1 << 20, 1024) << 10;
  read.links = static_cast<int>(number("GPUMARK_SIM_LINKS", 0, 36, 0));
  read.mig = number("GPUMARK_SIM_MIG", 0, 1, 0) == 1;
  const std::uint64_t version = number("GPUMARK_SIM_DRIVER", 1000, 999999999, 0);
  // Version numbers of CUDA have five digits, those of HIP eight.
  read.cuda_version = version > 0 && version < 1000000 ? static_cast<int>(version) : 13000;
  read.hip_version = version >= 1000000 ? static_cast<int>(version) : 60443482;
  read_architectures(read);
  const char* faults = text("GPUMARK_SIM_FAULT");
  for (const std::string& entry : split(faults ? faults : "")) read.faults.push_back(parse_fault(entry));
  return read;
}

}  // namespace

std::uint64_t Fault::number(std::uint64_t fallback) const {
  if (value.empty()) return fallback;
  char* end = nullptr;
  const char* begin = value.c_str() + counts_paths();
  const std::uint64_t parsed = std::strtoull(begin, &end, 10);
  if (*end != '\0' || end == begin) refuse("GPUMARK_SIM_FAULT", kind + ":" + value);
  return parsed;
}

const Fault* Settings::fault(const char* kind, int ordinal) const {
  for (const Fault& fault : faults) {
    if (fault.kind == kind && (fault.ordinal == -1 || fault.ordinal == ordinal)) return &fault;
  }
  return nullptr;
}

bool Settings::driver_too_old(Vendor vendor) const {
  if (fault("old-driver", -1)) return true;
  return vendor == Vendor::nvidia ? cuda_version < 10000 : hip_version < 50000000;
}

const Settings& settings() {
  static const Settings* const read = new Settings(read_environment());
  return *read;
}

}  // namespace gpumark::sim
