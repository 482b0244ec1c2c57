#include "core/ptx.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "core/settings.h"

namespace gpumark::sim {
namespace {

struct PtxVersion {
  /** 63 = version 6.3 */
  int ptx;
  /** The first CUDA version that supports it (release notes of the PTX ISA). */
  int cuda;
};

constexpr PtxVersion kVersions[] = {{60, 9000},  {61, 9010},  {63, 10000}, {64, 10010}, {65, 10020}, {70, 11000},
                                    {71, 11010}, {72, 11020}, {73, 11030}, {74, 11040}, {75, 11050}, {76, 11060},
                                    {77, 11070}, {78, 11080}, {80, 12000}, {81, 12010}, {82, 12020}, {83, 12030},
                                    {84, 12040}, {85, 12050}, {86, 12070}, {87, 12080}, {88, 12090}, {90, 13000}};

const char* after(const char* text, const char* word) {
  const char* at = std::strstr(text, word);
  return at ? at + std::strlen(word) : nullptr;
}

bool knows(int driver, int ptx) {
  const auto* version = std::find_if(std::begin(kVersions), std::end(kVersions),
                                     [&](const PtxVersion& known) { return known.ptx == ptx; });
  return version != std::end(kVersions) && version->cuda <= driver;
}

}  // namespace

int read_ptx(const Device& device, const char* text, std::set<std::string>* kernels) {
  const char* version = after(text, ".version ");
  const char* target = after(text, ".target sm_");
  if (!version || !target) return kInvalidImage;
  char* point = nullptr;
  const long major = std::strtol(version, &point, 10);
  if (*point != '.') return kInvalidPtx;
  if (!knows(settings().cuda_version, static_cast<int>(major * 10 + std::strtol(point + 1, nullptr, 10))))
    return kUnsupportedPtx;
  char* end = nullptr;
  const long capability = std::strtol(target, &end, 10);
  const long own = device.architecture.major * 10 + device.architecture.minor;
  // With the suffix "a", PTX is for exactly that architecture; without it, for all later ones too.
  if (*end == 'a' ? capability != own : capability > own) return kNoBinary;
  for (const char* entry = after(text, ".entry "); entry; entry = after(entry, ".entry ")) {
    kernels->emplace(entry, std::strcspn(entry, "( \t\n"));
  }
  return kernels->empty() ? static_cast<int>(kInvalidPtx) : static_cast<int>(kOk);
}

}  // namespace gpumark::sim
