#include "core/tensor-map.h"

#include <cstring>

namespace gpumark::sim {
namespace {

using simulated::MapContents;
using simulated::MapSwizzle;
using simulated::MapType;

/** The limits in the manual's page on cuTensorMapEncodeTiled, in the same order. */
const char* forbidden(const TensorMapRequest& r, std::uint32_t element_bytes) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32, kStrideLimit = std::uint64_t{1} << 40;
  constexpr std::uint32_t kMostBox = 256, kMostStep = 8, kSwizzleBytes[] = {256 * 8, 32, 64, 128};
  if (reinterpret_cast<std::uintptr_t>(r.map) % 64) return "the map is not aligned to 64 bytes";
  if (!r.address || reinterpret_cast<std::uintptr_t>(r.address) % 16) return "the array is not aligned to 16 bytes";
  for (int i = 0; i < 2; ++i) {
    if (r.sizes[i] == 0 || r.sizes[i] > kMostElements) return "a size is 0 or above 2^32";
    if (r.box[i] == 0 || r.box[i] > kMostBox) return "the box is empty or longer than 256";
    if (r.steps[i] == 0 || r.steps[i] > kMostStep) return "a step is 0 or above 8";
  }
  if (r.strides[0] % 16 || r.strides[0] >= kStrideLimit) return "the stride is not a multiple of 16 below 2^40";
  if (r.strides[0] < r.sizes[0] * element_bytes) return "rows overlap";
  if (r.box[0] * element_bytes % 16) return "the width of the box is not a multiple of 16 bytes";
  if (r.box[0] * element_bytes > kSwizzleBytes[r.swizzle]) return "the box is wider than the swizzle";
  return nullptr;
}

const char* not_simulated(const TensorMapRequest& r) {
  constexpr int kTypes[] = {0, 1, 2, 6, 7, 9, 11};
  bool known = false;
  for (const int type : kTypes) known = known || type == r.type;
  if (!known) return "this type is not simulated";
  if (r.rank != 2) return "ranks other than 2 are not simulated";
  if (r.interleave != 0) return "interleaving is not simulated";
  if (r.swizzle < 0 || r.swizzle > 3) return "this swizzle is not simulated";
  if (r.promotion < 0 || r.promotion > 3) return "this promotion does not exist";
  if (r.fill != 0) return "filling with NaN is not simulated";
  return nullptr;
}

}  // namespace

const char* encode_tensor_map(const TensorMapRequest& r) {
  if (!r.map || !r.sizes || !r.strides || !r.box || !r.steps) return "an argument is missing";
  if (const char* why = not_simulated(r)) return why;
  MapContents contents = {MapContents::kMark,
                          reinterpret_cast<std::uintptr_t>(r.address),
                          r.sizes[0],
                          r.sizes[1],
                          r.strides[0],
                          r.box[0],
                          r.box[1],
                          static_cast<MapType>(r.type),
                          static_cast<MapSwizzle>(r.swizzle)};
  if (const char* why = forbidden(r, contents.element_bytes())) return why;
  if (r.steps[0] != 1 || r.steps[1] != 1) return "steps other than 1 are not simulated";
  std::memset(r.map, 0, 128);
  std::memcpy(r.map, &contents, sizeof contents);
  return nullptr;
}

}  // namespace gpumark::sim
