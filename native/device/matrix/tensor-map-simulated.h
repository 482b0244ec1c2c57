// What the simulated driver writes into a tensor map. NVIDIA does not say what stands in a real one; only its own
// driver makes it.
#pragma once
#include <cstdint>
#include <cstring>

namespace gpumark::simulated {

/** The values of cuda.h's enumerations that mean something here. */
enum class MapType : std::uint32_t { u8 = 0, u16 = 1, u32 = 2, fp16 = 6, fp32 = 7, bf16 = 9, tf32 = 11 };
enum class MapSwizzle : std::uint32_t { none = 0, bytes_32 = 1, bytes_64 = 2, bytes_128 = 3 };

/** Two dimensions; x is the one without gaps. Sizes in elements, the stride in bytes. */
struct MapContents {
  static constexpr std::uint64_t kMark = 0x70616d2d72736e74;
  std::uint64_t mark;
  std::uint64_t address;
  std::uint64_t width, height;
  std::uint64_t stride;
  std::uint32_t box_width, box_height;
  MapType type;
  MapSwizzle swizzle;

  std::uint64_t bytes() const { return (height - 1) * stride + width * element_bytes(); }
  std::uint32_t element_bytes() const {
    switch (type) {
      case MapType::u8: return 1;
      case MapType::u16:
      case MapType::fp16:
      case MapType::bf16: return 2;
      default: return 4;
    }
  }
};
static_assert(sizeof(MapContents) <= 128);

/** @returns false where the 128 bytes are no map. */
inline bool read_map(const void* map, MapContents* contents) {
  std::memcpy(contents, map, sizeof *contents);
  return contents->mark == MapContents::kMark;
}

}  // namespace gpumark::simulated
