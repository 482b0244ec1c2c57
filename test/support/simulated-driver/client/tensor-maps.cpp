// Tensor maps: requests that the manual allows succeed, and each of its limits is checked separately.
#include <cstdint>
#include <functional>

#include "client/client.h"
#include "gemm-kernels.h"

namespace client {
namespace {

/** A matrix of 100 x 64 16-bit numbers in swizzled boxes of 128 bytes x 32 rows; each check changes one property. */
struct Request {
  gpumark::device::TensorMap map[2] = {};
  std::size_t map_offset = 0;
  int type = 6;
  std::uint32_t rank = 2;
  gpumark::DevicePointer address = 0;
  std::uint64_t sizes[2] = {64, 100};
  std::uint64_t stride = 128;
  std::uint32_t box[2] = {64, 32};
  std::uint32_t steps[2] = {1, 1};
  int interleave = 0, swizzle = 3, promotion = 3, fill = 0;
};

int encode(const Driver& driver, gpumark::DevicePointer memory, const std::function<void(Request&)>& change) {
  Request r;
  r.address = memory;
  change(r);
  return driver.call.cu_tensor_map_encode(reinterpret_cast<unsigned char*>(r.map) + r.map_offset, r.type, r.rank,
                                          reinterpret_cast<void*>(r.address), r.sizes, &r.stride, r.box, r.steps,
                                          r.interleave, r.swizzle, r.promotion, r.fill);
}

}  // namespace

void check_tensor_maps(const Driver& driver) {
  // CUDA_ERROR_INVALID_VALUE
  constexpr int kInvalid = 1;
  driver.open();
  const auto memory = driver.allocate(1 << 16);
  if (encode(driver, memory, [](Request&) {}) != 0) {
    std::printf("none on this device\n");
    return;
  }
  const std::function<void(Request&)> wrong[] = {
      [](Request& r) { r.map_offset = 32; },     [](Request& r) { r.address += 8; },
      [](Request& r) { r.sizes[1] = 0; },        [](Request& r) { r.sizes[1] = (1ull << 32) + 1; },
      [](Request& r) { r.stride = 136; },        [](Request& r) { r.stride = 112; },
      [](Request& r) { r.stride = 1ull << 40; }, [](Request& r) { r.box[1] = 0; },
      [](Request& r) { r.box[1] = 257; },        [](Request& r) { r.box[0] = 60; },
      [](Request& r) { r.box[0] = 128; },        [](Request& r) { r.swizzle = 2; },
      [](Request& r) { r.steps[1] = 0; },        [](Request& r) { r.steps[1] = 9; },
      [](Request& r) { r.type = 99; },           [](Request& r) { r.rank = 0; },
      [](Request& r) { r.promotion = 4; },
  };
  for (const auto& change : wrong) CHECK_CODE(encode(driver, memory, change), kInvalid);
  // Fewer rows than the box has, and the widest possible box without a swizzle.
  CHECK_OK(encode(driver, memory, [](Request& r) { r.sizes[1] = 1; }));
  CHECK_OK(encode(driver, memory, [](Request& r) {
    r.swizzle = 0;
    r.box[0] = 256;
  }));
  std::printf("as the manual says\n");
}

}  // namespace client
