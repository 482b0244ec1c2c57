#include "cpu/features.h"

#include <fstream>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace gpumark {

#if defined(__x86_64__)
namespace {

unsigned long long enabled_state() {
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<unsigned long long>(high) << 32) | low;
}

/**
 * Linux 5.16 and newer enables AMX tile state per process on request, once for all its threads; without it a tile
 * instruction raises SIGILL. Kernel ABI numbers: ARCH_REQ_XCOMP_PERM, and 18 for tile data.
 */
bool tiles_permitted() { return syscall(SYS_arch_prctl, 0x1023, 18) == 0; }

bool bit(unsigned word, int index) { return (word >> index) & 1u; }

}  // namespace

CpuFeatures detect_cpu_features() {
  CpuFeatures f;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return f;
  f.sse2 = bit(d, 26);
  const bool fma = bit(c, 12);
  if (!bit(c, 27)) return f;
  // XCR0: 0x6 = xmm and ymm, 0xe0 = opmask and zmm, 0x60000 = AMX tiles. cpuid alone does not show that the kernel
  // saves them.
  const unsigned long long state = enabled_state();
  unsigned a7 = 0, b7 = 0, c7 = 0, d7 = 0;
  if (!__get_cpuid_count(7, 0, &a7, &b7, &c7, &d7)) return f;
  f.avx2 = fma && bit(b7, 5) && (state & 0x6) == 0x6;
  f.avx512f = f.avx2 && bit(b7, 16) && (state & 0xe6) == 0xe6;
  f.avx512_fp16 = f.avx512f && bit(b7, 30) && bit(d7, 23);
  // Bits of leaf 7: AMX-BF16 22, AMX-TILE 24.
  const bool has_amx = bit(d7, 22) && bit(d7, 24);
  f.amx_bf16 = has_amx && (state & 0x60000) == 0x60000 && tiles_permitted();
  f.amx_refused = has_amx && !f.amx_bf16;
  if (__get_cpuid_count(7, 1, &a7, &b7, &c7, &d7)) {
    f.avx512_bf16 = f.avx512f && bit(a7, 5);
    f.amx_fp16 = f.amx_bf16 && bit(a7, 21);
  }
  return f;
}

#elif defined(__aarch64__)

CpuFeatures detect_cpu_features() {
  // Bits of the kernel's AT_HWCAP and AT_HWCAP2 words for arm64: ASIMD 1, ASIMDHP 10, SVE 22, ASIMDFHM 23; BF16 14.
  CpuFeatures f;
  const unsigned long caps = getauxval(AT_HWCAP);
  const unsigned long caps2 = getauxval(AT_HWCAP2);
  f.neon = (caps >> 1) & 1;
  f.neon_fp16 = (caps >> 10) & 1;
  f.sve = (caps >> 22) & 1;
  f.neon_fhm = (caps >> 23) & 1;
  f.neon_bf16 = (caps2 >> 14) & 1;
  return f;
}

#else
#error "gpumark-runner knows x86-64 and aarch64"
#endif

std::vector<std::string> CpuFeatures::names() const {
  const std::pair<bool, const char*> table[] = {{sse2, "sse2"},
                                                {avx2, "avx2+fma"},
                                                {avx512f, "avx512f"},
                                                {avx512_bf16, "avx512-bf16"},
                                                {avx512_fp16, "avx512-fp16"},
                                                {amx_bf16, "amx-bf16"},
                                                {amx_fp16, "amx-fp16"},
                                                {neon, "neon"},
                                                {neon_fp16, "neon-fp16"},
                                                {neon_fhm, "neon-fhm"},
                                                {neon_bf16, "neon-bf16"},
                                                {sve, "sve"}};
  std::vector<std::string> found;
  for (const auto& [present, name] : table) {
    if (present) found.push_back(name);
  }
  return found;
}

std::string cpu_model_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string implementer, part;
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto at = line.find(": ");
    if (at == std::string::npos) continue;
    if (line.rfind("model name", 0) == 0) return line.substr(at + 2);
    // Linux on Arm reports numbers instead of a name: 0x41 0xd40 is Arm's Neoverse V1.
    if (line.rfind("CPU implementer", 0) == 0) implementer = line.substr(at + 2);
    if (line.rfind("CPU part", 0) == 0) part = line.substr(at + 2);
  }
  return part.empty() ? "unknown CPU" : "Arm CPU, implementer " + implementer + " part " + part;
}

}  // namespace gpumark
