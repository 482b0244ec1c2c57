#include "gpu/images.h"

#include <algorithm>
#include <cstdlib>

// Defined by images-data.S: the first byte and the byte past the end.
#define GPUMARK_IMAGES(X)                             \
  X(portable, "sm_75", "cubin", sm_75)                \
  X(portable, "sm_80", "cubin", sm_80)                \
  X(portable, "sm_86", "cubin", sm_86)                \
  X(portable, "sm_89", "cubin", sm_89)                \
  X(portable, "sm_90", "cubin", sm_90)                \
  X(portable, "sm_100", "cubin", sm_100)              \
  X(portable, "sm_103", "cubin", sm_103)              \
  X(portable, "sm_120", "cubin", sm_120)              \
  X(portable, "sm_60", "ptx", sm_60)                  \
  X(portable, "gfx90a", "code object", gfx90a)        \
  X(portable, "gfx942", "code object", gfx942)        \
  X(portable, "gfx950", "code object", gfx950)        \
  X(portable, "gfx1030", "code object", gfx1030)      \
  X(portable, "gfx1100", "code object", gfx1100)      \
  X(portable, "gfx1101", "code object", gfx1101)      \
  X(portable, "gfx1200", "code object", gfx1200)      \
  X(portable, "gfx1201", "code object", gfx1201)      \
  X(matrix, "sm_75", "cubin", matrix_sm_75)           \
  X(matrix, "sm_80", "cubin", matrix_sm_80)           \
  X(matrix, "sm_89", "cubin", matrix_sm_89)           \
  X(matrix, "sm_90a", "cubin", matrix_sm_90a)         \
  X(matrix, "sm_100a", "cubin", matrix_sm_100a)       \
  X(matrix, "sm_103a", "cubin", matrix_sm_103a)       \
  X(matrix, "sm_120a", "cubin", matrix_sm_120a)       \
  X(matrix, "sm_121a", "cubin", matrix_sm_121a)       \
  X(matrix, "sm_75", "ptx", matrix_ptx_75)            \
  X(matrix, "sm_80", "ptx", matrix_ptx_80)            \
  X(matrix, "sm_89", "ptx", matrix_ptx_89)            \
  X(matrix, "sm_90a", "ptx", matrix_ptx_90a)          \
  X(matrix, "sm_100a", "ptx", matrix_ptx_100a)        \
  X(matrix, "sm_103a", "ptx", matrix_ptx_103a)        \
  X(matrix, "sm_120a", "ptx", matrix_ptx_120a)        \
  X(matrix, "sm_121a", "ptx", matrix_ptx_121a)        \
  X(matrix, "gfx90a", "code object", matrix_gfx90a)   \
  X(matrix, "gfx942", "code object", matrix_gfx942)   \
  X(matrix, "gfx950", "code object", matrix_gfx950)   \
  X(matrix, "gfx1100", "code object", matrix_gfx1100) \
  X(matrix, "gfx1101", "code object", matrix_gfx1101) \
  X(matrix, "gfx1200", "code object", matrix_gfx1200) \
  X(matrix, "gfx1201", "code object", matrix_gfx1201)

#define GPUMARK_DECLARE(set, architecture, kind, name)   \
  extern "C" const unsigned char gpumark_image_##name[]; \
  extern "C" const unsigned char gpumark_image_end_##name[];
GPUMARK_IMAGES(GPUMARK_DECLARE)
#undef GPUMARK_DECLARE

namespace gpumark {
namespace {

struct Entry {
  ImageSet set;
  DeviceImage image;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
#define GPUMARK_ENTRY(set, architecture, kind, name) \
  {ImageSet::set,                                    \
   {architecture, kind, gpumark_image_##name,        \
    static_cast<std::size_t>(gpumark_image_end_##name - gpumark_image_##name)}},
      GPUMARK_IMAGES(GPUMARK_ENTRY)
#undef GPUMARK_ENTRY
  };
  return all;
}

int number_of(const std::string& sm) { return std::atoi(sm.c_str() + 3); }

/**
 * A cubin runs on its own architecture and on later minor revisions of the same major one; PTX on its own and all later
 * architectures. A name ending in "a" uses architecture-specific instructions and runs on no other.
 */
bool runs_on(const DeviceImage& image, const std::string& device) {
  if (image.architecture == device || image.architecture == device + "a") return true;
  if (image.architecture.back() == 'a') return false;
  if (device.rfind("sm_", 0) != 0 || image.architecture.rfind("sm_", 0) != 0) return false;
  const int built = number_of(image.architecture), wanted = number_of(device);
  return image.kind == "ptx" ? built <= wanted : built / 10 == wanted / 10 && built <= wanted;
}

}  // namespace

std::vector<DeviceImage> images_for(const std::string& architecture, ImageSet set) {
  std::vector<DeviceImage> fitting;
  for (const Entry& entry : entries()) {
    if (entry.set == set && runs_on(entry.image, architecture)) fitting.push_back(entry.image);
  }
  std::sort(fitting.begin(), fitting.end(), [](const DeviceImage& one, const DeviceImage& other) {
    return std::make_pair(one.kind == "ptx", -number_of(one.architecture)) <
           std::make_pair(other.kind == "ptx", -number_of(other.architecture));
  });
  return fitting;
}

std::vector<std::string> image_names(ImageSet set) {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    if (entry.set == set) names.push_back(entry.image.architecture + " " + entry.image.kind);
  }
  return names;
}

}  // namespace gpumark
