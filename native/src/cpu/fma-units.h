// How many fused multiply-adds a core issues per cycle, by its microarchitecture: what the multiply-add figure is
// judged by.
#pragma once
#include <optional>
#include <string>

namespace gpumark {

/** As the processor itself says: cpuid on x86-64, the kernel's view of MIDR_EL1 on aarch64. */
struct CpuIdentity {
  /** "AuthenticAMD", "GenuineIntel"; on aarch64 the implementer, "0x41". */
  std::string vendor;
  /** Display family and model of x86; on aarch64 0 and the part number. */
  int family = 0;
  int model = 0;
  /** The name that the processor gives itself: it tells Skylake servers with one 512-bit unit from those with two. */
  std::string name;
};

CpuIdentity identify_cpu();

struct FmaUnits {
  /** "Zen 4" */
  const char* core;
  /** Vector multiply-adds of the asked width per cycle and core. */
  int per_cycle;
  /** Independent sources that say so; 1: the maker, or one measurement, alone. */
  int sources;
};

/** For vectors of `bits`; nullopt if the table has no such core, or its models differ in this. */
std::optional<FmaUnits> fma_units(const CpuIdentity& cpu, int bits);

}  // namespace gpumark
