// Multiply-adds per cycle of the processors that a data centre or a desk has, by what they say of themselves.
#include <string>

#include "cpu/fma-units.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

constexpr const char* kAmd = "AuthenticAMD";
constexpr const char* kIntel = "GenuineIntel";

struct Known {
  CpuIdentity cpu;
  const char* core;
  /** Multiply-adds per cycle of the width; 0 = the table does not say. */
  int bits, per_cycle;
};

/** Names and numbers as /proc/cpuinfo has them on such machines. */
const Known kKnown[] = {
    {{kAmd, 0x17, 0x31, "AMD EPYC 7742 64-Core Processor"}, "Zen 2", 256, 2},
    {{kAmd, 0x19, 0x01, "AMD EPYC 7763 64-Core Processor"}, "Zen 3", 256, 2},
    {{kAmd, 0x19, 0x21, "AMD Ryzen 9 5950X 16-Core Processor"}, "Zen 3", 256, 2},
    {{kAmd, 0x19, 0x11, "AMD EPYC 9654 96-Core Processor"}, "Zen 4", 512, 1},
    {{kAmd, 0x19, 0x11, "AMD EPYC 9654 96-Core Processor"}, "Zen 4", 256, 2},
    {{kAmd, 0x19, 0xa0, "AMD EPYC 9754 128-Core Processor"}, "Zen 4", 512, 1},
    {{kAmd, 0x19, 0x61, "AMD Ryzen 9 7950X 16-Core Processor"}, "Zen 4", 512, 1},
    {{kAmd, 0x1a, 0x02, "AMD EPYC 9755 128-Core Processor"}, "Zen 5", 512, 2},
    {{kAmd, 0x1a, 0x11, "AMD EPYC 9965 192-Core Processor"}, "Zen 5", 512, 2},
    {{kAmd, 0x1a, 0x44, "AMD Ryzen 9 9950X 16-Core Processor"}, "Zen 5", 512, 2},
    {{kAmd, 0x1a, 0x24, "AMD Ryzen AI 9 HX 370"}, "Zen 5, 256-bit pipes", 512, 1},
    {{kIntel, 6, 0x55, "Intel(R) Xeon(R) Platinum 8180 CPU @ 2.50GHz"}, "Skylake-SP", 512, 2},
    {{kIntel, 6, 0x55, "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz"}, "Skylake-SP", 512, 2},
    {{kIntel, 6, 0x55, "Intel(R) Xeon(R) Silver 4110 CPU @ 2.10GHz"}, "Skylake-SP", 512, 1},
    {{kIntel, 6, 0x55, "Intel(R) Xeon(R) Bronze 3106 CPU @ 1.70GHz"}, "Skylake-SP", 512, 1},
    {{kIntel, 6, 0x55, "Intel(R) Xeon(R) Gold 5115 CPU @ 2.40GHz"}, nullptr, 512, 0},
    {{kIntel, 6, 0x55, "Intel(R) Xeon(R) Processor @ 2.00GHz"}, nullptr, 512, 0},
    {{kIntel, 6, 0x55, "Intel(R) Xeon(R) Processor @ 2.00GHz"}, "Skylake-SP", 256, 2},
    {{kIntel, 6, 0x6a, "Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz"}, "Ice Lake-SP", 512, 2},
    {{kIntel, 6, 0x8f, "Intel(R) Xeon(R) Platinum 8480+"}, "Sapphire Rapids", 512, 2},
    {{kIntel, 6, 0xcf, "INTEL(R) XEON(R) PLATINUM 8592+"}, "Emerald Rapids", 512, 2},
    {{kIntel, 6, 0x9e, "Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz"}, "Kaby Lake", 256, 2},
    {{kIntel, 6, 0xa5, "Intel(R) Core(TM) i9-10900K CPU @ 3.70GHz"}, "Comet Lake", 256, 2},
    {{kIntel, 6, 0xa7, "11th Gen Intel(R) Core(TM) i9-11900K @ 3.50GHz"}, "Rocket Lake", 512, 1},
    {{kIntel, 6, 0x97, "12th Gen Intel(R) Core(TM) i9-12900K"}, nullptr, 256, 0},
    {{kIntel, 6, 0xaf, "Intel(R) Xeon(R) 6780E"}, nullptr, 256, 0},
    {{"0x41", 0, 0xd0c, "Arm CPU, implementer 0x41 part 0xd0c"}, "Neoverse N1", 128, 2},
    {{"0x41", 0, 0xd40, "Arm CPU, implementer 0x41 part 0xd40"}, "Neoverse V1", 128, 4},
    {{"0x41", 0, 0xd49, "Arm CPU, implementer 0x41 part 0xd49"}, "Neoverse N2", 128, 2},
    {{"0x41", 0, 0xd4f, "Arm CPU, implementer 0x41 part 0xd4f"}, "Neoverse V2", 128, 4},
    {{"0xc0", 0, 0xac3, "Arm CPU, implementer 0xc0 part 0xac3"}, nullptr, 128, 0},
    // Vectors that the core does not have, and a processor of tomorrow.
    {{kAmd, 0x19, 0x01, "AMD EPYC 7763 64-Core Processor"}, nullptr, 512, 0},
    {{kAmd, 0x1b, 0x01, "AMD Eng Sample"}, nullptr, 512, 0},
    {{}, nullptr, 256, 0},
};

}  // namespace

void check_fma_units() {
  for (const Known& known : kKnown) {
    const auto units = fma_units(known.cpu, known.bits);
    const std::string what = known.cpu.name + ": " + std::to_string(known.per_cycle) + " of " +
                             std::to_string(known.bits) + " bits per cycle";
    check(units.has_value() == (known.core != nullptr), what.c_str());
    if (units && known.core) check(units->core == std::string(known.core), what.c_str());
    if (units) check(units->per_cycle == known.per_cycle, what.c_str());
  }
  // What one source alone says is marked: no measurement of others was found for these.
  const auto sources = [](const char* vendor, int family, int model, int bits) {
    return fma_units({vendor, family, model, ""}, bits)->sources;
  };
  check(sources(kIntel, 6, 0x6a, 512) == 1 && sources(kIntel, 6, 0x8f, 512) == 1 && sources(kIntel, 6, 0xad, 512) == 1,
        "two 512-bit units of Ice Lake-SP, Sapphire and Granite Rapids are the maker's word alone");
  check(sources("0x41", 0, 0xd4f, 128) == 1 && sources(kAmd, 0x1a, 0x24, 512) == 1, "so are Neoverse, and Strix Point");
  check(
      sources(kAmd, 0x19, 0x11, 512) == 4 && sources(kAmd, 0x1a, 0x02, 512) == 4 && sources(kIntel, 6, 0xcf, 512) == 2,
      "the 512-bit rates of Zen 4, Zen 5 and Emerald Rapids have two sources and more");
  const CpuIdentity here = identify_cpu();
  check(!here.vendor.empty() && !here.name.empty(), "this processor says who it is");
}
