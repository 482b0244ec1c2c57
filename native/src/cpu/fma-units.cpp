#include "cpu/fma-units.h"

#include <cstdlib>
#include <fstream>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "cpu/features.h"

namespace gpumark {
namespace {

struct Core {
  const char* vendor;
  int family;
  int first_model, last_model;
  const char* name;
  /** Multiply-adds per cycle of 128, 256 and 512 bits; 0 = without such vectors, or not the same in all models. */
  int of_128, of_256, of_512;
  /** A letter for each source, of up to 256 bits and of 512. */
  const char* sources;
  const char* wide_sources = "";
};

constexpr const char* kAmd = "AuthenticAMD";
constexpr const char* kIntel = "GenuineIntel";
constexpr const char* kArm = "0x41";

/**
 * Families and models: Linux (arch/x86/kernel/cpu/amd.c, arch/x86/include/asm/intel-family.h,
 * arch/arm64/include/asm/cputype.h). Rates, with a letter for each source that has them:
 *
 * M  the maker. AMD: Software Optimization Guides 56305 (17h, Zen 2), 56665 (19h, Zen 3), 57647 (19h, Zen 4: a 512-bit
 *    operation occupies its 256-bit pipe for two cycles), 58455 (1Ah, Zen 5). Intel: Optimization Reference Manual
 *    248966, and ARK's "number of AVX-512 FMA units": Ice Lake-SP, Sapphire, Emerald and Granite Rapids have 2 in all
 *    models, Skylake-SP and its successors of the same model number 1 or 2. Arm: Software Optimization Guides of
 *    Neoverse N1, V1, N2, V2 (FMLA: 2, 4, 2, 4 per cycle).
 * U  uops.info, measured: VFMADD132PS ymm 0.50 cycles from Haswell and Zen 2 on; zmm 0.50 in Skylake-X, Emerald Rapids
 *    and Zen 5, 1.00 in Ice Lake, Tiger Lake, Rocket Lake and Zen 4. Agner Fog's tables agree where they have the core.
 * L  LLVM 19's models, run through llvm-mca. Not counted where they have another core's 512-bit units: 1 per cycle in
 *    Ice Lake-SP and its successors, whose model is the client's, and in Zen 5, whose model is Zen 4's; nor for
 *    Neoverse, whose models were made from Arm's guides.
 * G  GCC 15's model (zn4zn5.md): two pipes, one cycle each, in Zen 5. Its Zen 4 has two cycles for every width, which
 *    all others contradict for 256 bits.
 * Y  A. Yee's teardowns of Zen 4 and Zen 5 at numberworld.org; only he has Strix Point's 256-bit pipes.
 *
 * Not here, and so measured: processors with two kinds of cores (Alder Lake and later), Zen 5 in other mobile parts,
 * E-core servers, Arm cores of other makers.
 */
constexpr Core kCores[] = {
    {kAmd, 0x17, 0x30, 0x4f, "Zen 2", 2, 2, 0, "MUL"},
    {kAmd, 0x17, 0x60, 0x7f, "Zen 2", 2, 2, 0, "MUL"},
    {kAmd, 0x17, 0x90, 0x91, "Zen 2", 2, 2, 0, "MUL"},
    {kAmd, 0x17, 0xa0, 0xaf, "Zen 2", 2, 2, 0, "MUL"},
    {kAmd, 0x19, 0x00, 0x0f, "Zen 3", 2, 2, 0, "MUL"},
    {kAmd, 0x19, 0x20, 0x5f, "Zen 3", 2, 2, 0, "MUL"},
    {kAmd, 0x19, 0x10, 0x1f, "Zen 4", 2, 2, 1, "MULY", "MULY"},
    {kAmd, 0x19, 0x60, 0xaf, "Zen 4", 2, 2, 1, "MULY", "MULY"},
    {kAmd, 0x1a, 0x00, 0x1f, "Zen 5", 2, 2, 2, "MULGY", "MUGY"},
    {kAmd, 0x1a, 0x20, 0x2f, "Zen 5, 256-bit pipes", 2, 2, 1, "Y", "Y"},
    {kAmd, 0x1a, 0x40, 0x4f, "Zen 5", 2, 2, 2, "MULGY", "MUGY"},
    {kIntel, 6, 0x3c, 0x3c, "Haswell", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x3f, 0x3f, "Haswell", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x45, 0x46, "Haswell", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x3d, 0x3d, "Broadwell", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x47, 0x47, "Broadwell", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x4f, 0x4f, "Broadwell", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x56, 0x56, "Broadwell", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x4e, 0x4e, "Skylake", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x5e, 0x5e, "Skylake", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x8e, 0x8e, "Kaby Lake", 2, 2, 0, "MUL"},
    {kIntel, 6, 0x9e, 0x9e, "Kaby Lake", 2, 2, 0, "MUL"},
    {kIntel, 6, 0xa5, 0xa6, "Comet Lake", 2, 2, 0, "ML"},
    {kIntel, 6, 0x55, 0x55, "Skylake-SP", 2, 2, 2, "MUL", "MUL"},
    {kIntel, 6, 0x6a, 0x6a, "Ice Lake-SP", 2, 2, 2, "ML", "M"},
    {kIntel, 6, 0x7d, 0x7e, "Ice Lake", 2, 2, 1, "MUL", "UL"},
    {kIntel, 6, 0x8c, 0x8d, "Tiger Lake", 2, 2, 1, "MUL", "UL"},
    {kIntel, 6, 0xa7, 0xa7, "Rocket Lake", 2, 2, 1, "MUL", "UL"},
    {kIntel, 6, 0x8f, 0x8f, "Sapphire Rapids", 2, 2, 2, "ML", "M"},
    {kIntel, 6, 0xcf, 0xcf, "Emerald Rapids", 2, 2, 2, "MUL", "MU"},
    {kIntel, 6, 0xad, 0xad, "Granite Rapids", 2, 2, 2, "ML", "M"},
    {kArm, 0, 0xd0c, 0xd0c, "Neoverse N1", 2, 0, 0, "M"},
    {kArm, 0, 0xd40, 0xd40, "Neoverse V1", 4, 0, 0, "M"},
    {kArm, 0, 0xd49, 0xd49, "Neoverse N2", 2, 0, 0, "M"},
    {kArm, 0, 0xd4f, 0xd4f, "Neoverse V2", 4, 0, 0, "M"},
};

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

/**
 * Skylake, Cascade Lake and Cooper Lake servers share a model number. By ARK all Platinum and Gold 6xxx have two
 * 512-bit units and all Silver and Bronze one; of Gold 5xxx, W, D and X, and of names that a hypervisor shortened,
 * nothing is said.
 */
int units_by_name(const std::string& name) {
  if (has(name, "Platinum 8") || has(name, "Gold 6")) return 2;
  return has(name, "Silver 4") || has(name, "Bronze 3") ? 1 : 0;
}

}  // namespace

std::optional<FmaUnits> fma_units(const CpuIdentity& cpu, int bits) {
  for (const Core& core : kCores) {
    if (core.vendor != cpu.vendor || core.family != cpu.family) continue;
    if (cpu.model < core.first_model || cpu.model > core.last_model) continue;
    int units = bits == 128 ? core.of_128 : bits == 256 ? core.of_256 : bits == 512 ? core.of_512 : 0;
    if (bits == 512 && cpu.vendor == kIntel && core.first_model == 0x55) units = units_by_name(cpu.name);
    const std::string_view sources = bits == 512 ? core.wide_sources : core.sources;
    return units > 0 ? std::optional<FmaUnits>({core.name, units, static_cast<int>(sources.size())}) : std::nullopt;
  }
  return std::nullopt;
}

#if defined(__x86_64__)

CpuIdentity identify_cpu() {
  CpuIdentity cpu;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0, &a, &b, &c, &d)) return cpu;
  for (const unsigned word : {b, d, c}) {
    for (int byte = 0; byte < 4; ++byte) cpu.vendor += static_cast<char>(word >> (8 * byte));
  }
  if (!__get_cpuid(1, &a, &b, &c, &d)) return cpu;
  // Extended family and model count from family 15 and from family 6 on.
  const int family = (a >> 8) & 15, model = (a >> 4) & 15, more_model = (a >> 16) & 15;
  cpu.family = family == 15 ? family + static_cast<int>((a >> 20) & 255) : family;
  cpu.model = family == 15 || family == 6 ? more_model << 4 | model : model;
  cpu.name = cpu_model_name();
  return cpu;
}

#else

CpuIdentity identify_cpu() {
  CpuIdentity cpu;
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto at = line.find(": ");
    if (at == std::string::npos) continue;
    const std::string value = line.substr(at + 2);
    if (line.rfind("CPU implementer", 0) == 0) cpu.vendor = value;
    if (line.rfind("CPU part", 0) == 0) {
      const int part = static_cast<int>(std::strtol(value.c_str(), nullptr, 16));
      // Two kinds of cores: no one rate.
      if (cpu.model != 0 && cpu.model != part) return {};
      cpu.model = part;
    }
  }
  cpu.name = cpu_model_name();
  return cpu;
}

#endif

}  // namespace gpumark
