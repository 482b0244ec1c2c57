// tcgen05.cp of scales and tcgen05.mma with .block_scale for the simulated driver, after the PTX manual ("Block
// Scaling", "Scale Factor A ID", "Instruction descriptor", "tcgen05.cp"). Both wait in their thread's order with the
// other work: the manual promises that for a copy and the multiplication behind it, and a commit; a kernel that relies
// on more, as that a copy comes behind a multiplication begun before it, has to be found by reading it.
#pragma once
#include "scaled-numbers-simulated.h"
#include "tcgen05-simulated.h"

namespace gpumark::simulated {

/** .kind and .scale_vec: mxf4nvf4 with 4X, mxf4 with 2X, mxf8f6f4 with 1X. */
enum class ScaledKind : u32 { nvfp4, mxfp4, mxfp8 };

/**
 * 32 rows of 16 bytes to four columns of lanes 0 to 31, and the same to those of the other three warps (.32x128b
 * .warpx4). Without a swizzle 8 rows of 16 bytes follow each other; the descriptor says how far it is to the next 8.
 */
inline void copy_scale_tile(TensorMemory& memory, u32 rank, const TensorWork& work) {
  const u32 start = static_cast<u32>(work.a & 0x3fff) << 4, rows_of_8 = static_cast<u32>(work.a >> 32 & 0x3fff) << 4;
  for (u32 row = 0; row < 32; ++row) {
    const u32 address = start + row / 8 * rows_of_8 + row % 8 * 16;
    if (address < kWindowBegin || address + 16 > kWindowEnd) return forbid("scales outside shared memory");
    for (u32 warp = 0; warp < 4; ++warp)
      std::memcpy(&memory.cells[32 * warp + row][work.scales_a], at_address(rank, address), 16);
  }
}

inline void copy_scales(u32 columns, u64 tile) {
  if (tile >> 61 != 0 || (tile >> 46 & 7) != 1 || (tile >> 49 & 7) != 0)
    return forbid("a descriptor of scales that is not Blackwell's, or with a swizzle: not simulated");
  if (columns >> 16 || columns + 4 > kTensorColumns) return forbid("scales outside tensor memory");
  add_work({copy_scale_tile, 0, tile, 0, MatrixInput::fp16, 0, false, 0, 0, 0, columns, 0});
}

/** Byte `at` of the word for row `line`: lane line % 32 of each warp's part, one column for 32 rows; all four alike. */
inline u32 scale_byte(const TensorMemory& memory, u32 columns, u32 line, u32 at) {
  u32 words[4];
  for (u32 warp = 0; warp < 4; ++warp)
    std::memcpy(&words[warp], &memory.cells[32 * warp + line % 32][columns + line / 32], 4);
  if (words[1] != words[0] || words[2] != words[0] || words[3] != words[0])
    forbid("scales that are not the same in all four parts of tensor memory");
  return words[0] >> (8 * at) & 255;
}

/** `lines` rows of 32 bytes of a swizzled tile, as numbers times their scales, k first. */
inline std::vector<double> read_scaled_tile(TensorMemory& memory, u32 rank, u64 descriptor, u32 lines, ScaledKind kind,
                                            u32 scales, u32 id) {
  const u32 depth = kind == ScaledKind::mxfp8 ? 32 : 64, block = kind == ScaledKind::nvfp4 ? 16 : 32;
  std::vector<double> tile(std::size_t{depth} * lines);
  const u32 start = static_cast<u32>(descriptor & 0x3fff) << 4;
  const u32 rows_of_8 = static_cast<u32>(descriptor >> 32 & 0x3fff) << 4;
  if (descriptor >> 61 != 2 || (descriptor >> 46 & 7) != 1 || (descriptor >> 49 & 7) || (start & 0x380))
    return forbid("a matrix descriptor that is not simulated"), tile;
  for (u32 line = 0; line < lines; ++line) {
    for (u32 k = 0; k < depth; ++k) {
      const u32 byte = kind == ScaledKind::mxfp8 ? k : k / 2;
      const u32 address = swizzled(start + line / 8 * rows_of_8 + line % 8 * 128 + byte, MapSwizzle::bytes_128);
      if (address < kWindowBegin || address >= kWindowEnd) return forbid("a matrix outside shared memory"), tile;
      const u32 bits = *at_address(rank, address), scale = scale_byte(memory, scales, line, id + k / block);
      const double number = kind == ScaledKind::mxfp8 ? e4m3(bits) : e2m1(bits >> (k % 2 * 4) & 15);
      // Of UE4M3 the eighth bit is not looked at.
      tile[std::size_t{k} * lines + line] = number * (kind == ScaledKind::nvfp4 ? e4m3(scale & 127) : ue8m0(scale));
    }
  }
  return tile;
}

inline void multiply_scaled(TensorMemory& memory, u32 rank, const TensorWork& work) {
  const auto kind = static_cast<ScaledKind>(work.blocks);
  const u32 id_a = work.instruction >> 29 & 3, id_b = work.instruction >> 4 & 3;
  const std::vector<double> a = read_scaled_tile(memory, rank, work.a, kTensorRows, kind, work.scales_a, id_a);
  const std::vector<double> b = read_scaled_tile(memory, rank, work.b, kTensorTileN, kind, work.scales_b, id_b);
  const std::size_t depth = a.size() / kTensorRows;
  for (u32 row = 0; row < kTensorRows; ++row) {
    float* sums = &memory.cells[row][work.sums];
    for (u32 i = 0; i < kTensorTileN; ++i) {
      double sum = work.adds ? sums[i] : 0;
      for (std::size_t k = 0; k < depth; ++k) sum += a[k * kTensorRows + row] * b[k * kTensorTileN + i];
      sums[i] = static_cast<float>(sum);
    }
  }
}

/** The instruction descriptor's bits are those of the manual's tables for these kinds, which differ from the others'.
 */
inline void tensor_multiply_scaled(u32 sums, u64 a, u64 b, u32 instruction, ScaledKind kind, u32 scales_a, u32 scales_b,
                                   u32 adds) {
  const u32 id_a = instruction >> 29 & 3, id_b = instruction >> 4 & 3;
  // E4M3 is 0 of mxf8f6f4, E2M1 is 1 of the others. Bit 23: scales of UE8M0. 27-28: rows / 128.
  const u32 type = kind == ScaledKind::mxfp8 ? 0 : 1, powers = kind == ScaledKind::nvfp4 ? 0 : 1;
  const u32 expected =
      type << 7 | type << 10 | kTensorTileN / 8 << 17 | powers << 23 | kTensorRows / 128 << 27 | id_a << 29 | id_b << 4;
  if (instruction != expected) return forbid("an instruction descriptor that is not simulated");
  const u32 step = kind == ScaledKind::nvfp4 ? 4 : kind == ScaledKind::mxfp4 ? 2 : 1;
  if (id_a % step || id_b % step) return forbid("scales that begin off their border within a word");
  if (sums >> 16 || sums + kTensorTileN > kTensorColumns) return forbid("sums outside tensor memory");
  if (scales_a >> 16 || scales_a + kTensorRows / 32 > kTensorColumns || scales_b >> 16 ||
      scales_b + kTensorTileN / 32 > kTensorColumns)
    return forbid("scales outside tensor memory");
  add_work({multiply_scaled, sums, a, b, MatrixInput::e4m3, 1, adds != 0, 0, static_cast<u32>(kind), instruction,
            scales_a, scales_b});
}

}  // namespace gpumark::simulated
