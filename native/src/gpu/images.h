// The device images embedded in this executable, and which of them fit a device.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace gpumark {

/** portable: the kernels of device/kernels.cu. matrix: those of device/matrix, for architectures with matrix units. */
enum class ImageSet { portable, matrix };

struct DeviceImage {
  /** "sm_90", "gfx942" */
  std::string architecture;
  /** "cubin", "code object", "ptx" */
  std::string kind;
  const unsigned char* data;
  std::size_t bytes;
  /** "sm_90 cubin", or "sm_60 ptx, compiled by the driver" */
  std::string described() const {
    return architecture + " " + kind + (kind == "ptx" ? ", compiled by the driver" : "");
  }
};

/**
 * All images that can run on `architecture`, the most specific first. Empty: this build does not support the device.
 */
std::vector<DeviceImage> images_for(const std::string& architecture, ImageSet set = ImageSet::portable);
/** Every architecture for which this build has an image, including "sm_60 ptx". */
std::vector<std::string> image_names(ImageSet set = ImageSet::portable);

}  // namespace gpumark
