#include "gpu/images.h"

#include <algorithm>
#include <cstdlib>

// Laid down by images-data.S: first byte and first byte after.
#define GPUMARK_IMAGES(X)                                                                                                                                      \
  X(nvidia, "sm_75", "cubin", sm_75) X(nvidia, "sm_80", "cubin", sm_80) X(nvidia, "sm_86", "cubin", sm_86) X(nvidia, "sm_89", "cubin", sm_89)                  \
  X(nvidia, "sm_90", "cubin", sm_90) X(nvidia, "sm_100", "cubin", sm_100) X(nvidia, "sm_103", "cubin", sm_103) X(nvidia, "sm_120", "cubin", sm_120)            \
  X(nvidia, "sm_60", "ptx", sm_60) X(amd, "gfx90a", "code object", gfx90a) X(amd, "gfx942", "code object", gfx942) X(amd, "gfx950", "code object", gfx950)     \
  X(amd, "gfx1030", "code object", gfx1030) X(amd, "gfx1100", "code object", gfx1100) X(amd, "gfx1101", "code object", gfx1101)     \
  X(amd, "gfx1200", "code object", gfx1200) X(amd, "gfx1201", "code object", gfx1201)

#define GPUMARK_DECLARE(vendor, architecture, kind, name) \
  extern "C" const unsigned char gpumark_image_##name[];  \
  extern "C" const unsigned char gpumark_image_end_##name[];
GPUMARK_IMAGES(GPUMARK_DECLARE)
#undef GPUMARK_DECLARE

namespace gpumark {
namespace {

struct Entry {
  GpuVendor vendor;
  DeviceImage image;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
#define GPUMARK_ENTRY(vendor, architecture, kind, name) \
  {GpuVendor::vendor, {architecture, kind, gpumark_image_##name, static_cast<std::size_t>(gpumark_image_end_##name - gpumark_image_##name)}},
      GPUMARK_IMAGES(GPUMARK_ENTRY)
#undef GPUMARK_ENTRY
  };
  return all;
}

int number_of(const std::string& sm) { return std::atoi(sm.c_str() + 3); }

/** A cubin runs on its own and on later minor revisions of the same major one; PTX on everything from its own on. */
bool runs_on(const DeviceImage& image, const std::string& device) {
  if (image.architecture == device) return true;
  if (device.rfind("sm_", 0) != 0 || image.architecture.rfind("sm_", 0) != 0) return false;
  const int built = number_of(image.architecture), wanted = number_of(device);
  return image.kind == "ptx" ? built <= wanted : built / 10 == wanted / 10 && built <= wanted;
}

}  // namespace

std::vector<DeviceImage> images_for(GpuVendor vendor, const std::string& architecture) {
  std::vector<DeviceImage> fitting;
  for (const Entry& entry : entries()) {
    if (entry.vendor == vendor && runs_on(entry.image, architecture)) fitting.push_back(entry.image);
  }
  std::sort(fitting.begin(), fitting.end(), [](const DeviceImage& one, const DeviceImage& other) {
    return std::make_pair(one.kind == "ptx", -number_of(one.architecture)) < std::make_pair(other.kind == "ptx", -number_of(other.architecture));
  });
  return fitting;
}

std::vector<std::string> image_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.image.architecture + " " + entry.image.kind);
  return names;
}

}  // namespace gpumark
