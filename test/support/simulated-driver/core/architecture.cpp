#include "core/architecture.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "core/settings.h"

namespace gpumark::sim {
namespace {

struct AmdMachine {
  const char* name;
  unsigned flag;
  int warp_size;
  int links;
};

constexpr AmdMachine kAmdMachines[] = {
    {"gfx906", 0x2f, 64, 2},  {"gfx908", 0x30, 64, 3},  {"gfx90a", 0x3f, 64, 7},  {"gfx942", 0x4c, 64, 7},
    {"gfx950", 0x4f, 64, 7},  {"gfx1030", 0x36, 32, 0}, {"gfx1100", 0x41, 32, 0}, {"gfx1101", 0x46, 32, 0},
    {"gfx1200", 0x48, 32, 0}, {"gfx1201", 0x4e, 32, 0},
};

/** CUDA programming guide, technical specifications per compute capability. */
int most_shared_bytes(long capability) {
  switch (capability) {
    case 70: return 96 << 10;
    case 75: return 64 << 10;
    case 80:
    case 87: return 163 << 10;
    case 86:
    case 89:
    case 120:
    case 121: return 99 << 10;
    default: return capability >= 90 ? 227 << 10 : 48 << 10;
  }
}

[[noreturn]] void refuse(const std::string& name) {
  std::fprintf(stderr, "simulated driver: unknown architecture %s\n", name.c_str());
  _exit(99);
}

}  // namespace

Architecture Architecture::named(Vendor vendor, const std::string& name) {
  Architecture found{.vendor = vendor, .name = name};
  if (vendor == Vendor::nvidia) {
    char* end = nullptr;
    const long digits = std::strtol(name.c_str() + 3, &end, 10);
    if (*end != '\0' || digits < 50 || digits > 199) refuse(name);
    found.major = static_cast<int>(digits / 10);
    found.minor = static_cast<int>(digits % 10);
    // P100, V100, A100, H100, B200 and B300; other cards have no links or need a bridge.
    found.links = digits == 60                                     ? 4
                  : digits == 70                                   ? 6
                  : digits == 80                                   ? 12
                  : digits == 90 || digits == 100 || digits == 103 ? 18
                                                                   : 0;
    if (settings().links > 0) found.links = settings().links;
    found.shared_bytes = most_shared_bytes(digits);
    return found;
  }
  for (const AmdMachine& machine : kAmdMachines) {
    if (name != machine.name) continue;
    const std::string digits = name.substr(3, name.size() - 5);
    found.major = std::atoi(digits.c_str());
    found.minor = name[name.size() - 2] - '0';
    found.machine_flag = machine.flag;
    found.warp_size = machine.warp_size;
    found.links = machine.links;
    return found;
  }
  refuse(name);
}

}  // namespace gpumark::sim
