// AMX: tile registers, their shapes, and the products of tiles.
#pragma once
#include "emulated-instruction.h"
#include "emulated-numbers.h"
#include "half-words.h"

namespace emulated {

struct Tile {
  unsigned char bytes[16][64] = {};
};

/** Per thread, as in the processor; without a configuration every tile instruction is refused there. */
struct TileState {
  bool configured = false;
  int rows[8] = {};
  int row_bytes[8] = {};
  Tile tiles[8];
};
inline TileState& tile_state() {
  static thread_local TileState state;
  return state;
}

/**
 * Palette in byte 0, bytes per row from 16, rows from 48. A start row is for interrupted loads, which there are none of
 * here.
 */
inline bool configure(const unsigned char* config) {
  TileState& state = tile_state();
  state = {};
  if (config[0] != 1 || config[1] != 0) return false;
  state.configured = true;
  for (int i = 0; i < 8; ++i) {
    state.row_bytes[i] = config[16 + 2 * i] | config[17 + 2 * i] << 8;
    state.rows[i] = config[48 + i];
    if (state.row_bytes[i] > 64 || state.rows[i] > 16) return false;
  }
  return true;
}

inline bool move_tile(const Instruction& in, bool load) {
  TileState& state = tile_state();
  if (!state.configured || in.modrm_reg > 7) return false;
  Tile& tile = state.tiles[in.modrm_reg];
  if (load) tile = {};
  for (int row = 0; row < state.rows[in.modrm_reg]; ++row) {
    void* memory = reinterpret_cast<void*>(in.address + static_cast<std::uint64_t>(row) * in.index);
    const auto bytes = static_cast<std::size_t>(state.row_bytes[in.modrm_reg]);
    load ? std::memcpy(tile.bytes[row], memory, bytes) : std::memcpy(memory, tile.bytes[row], bytes);
  }
  return true;
}

inline float element(const Tile& tile, int row, int index, bool bf16) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, tile.bytes[row] + 2 * index, sizeof bits);
  return bf16 ? bf16_value(bits) : static_cast<float>(gpumark::double_of_half(bits));
}

/**
 * Sums of the even and of the odd products from zero, each in the order of k, then their sum, then the sum with what
 * was there.
 */
inline bool multiply_tiles(const Instruction& in, bool bf16) {
  TileState& state = tile_state();
  if (!state.configured || in.in_memory || in.modrm_reg > 7 || in.rm > 7 || in.vvvv > 7) return false;
  Tile& sums = state.tiles[in.modrm_reg];
  const Tile& a = state.tiles[in.rm];
  const Tile& b = state.tiles[in.vvvv];
  for (int m = 0; m < state.rows[in.modrm_reg]; ++m) {
    for (int n = 0; n < state.row_bytes[in.modrm_reg] / 4; ++n) {
      float even = 0, odd = 0, sum = 0;
      for (int k = 0; k < state.row_bytes[in.rm] / 4; ++k) {
        even = multiply_add(element(a, m, 2 * k, bf16), element(b, k, 2 * n, bf16), even);
        odd = multiply_add(element(a, m, 2 * k + 1, bf16), element(b, k, 2 * n + 1, bf16), odd);
      }
      std::memcpy(&sum, sums.bytes[m] + 4 * n, sizeof sum);
      sum = flushed(flushed(sum) + flushed(even + odd));
      std::memcpy(sums.bytes[m] + 4 * n, &sum, sizeof sum);
    }
  }
  return true;
}

/** False for an instruction that is not known here, or that the processor would refuse in this state. */
inline bool execute_tile(const Instruction& in) {
  if (in.map != 2 || in.wide) return false;
  switch (in.prefix << 8 | in.opcode) {
    case 0x049:
      if (in.in_memory) return configure(reinterpret_cast<const unsigned char*>(in.address + in.index));
      tile_state() = {};
      return true;
    case 0x349: tile_state().tiles[in.modrm_reg] = {}; return tile_state().configured;
    case 0x34b: return move_tile(in, true);
    case 0x24b: return move_tile(in, false);
    case 0x25c: return multiply_tiles(in, true);
    case 0x35c: return multiply_tiles(in, false);
    default: return false;
  }
}

}  // namespace emulated
