#include <array>
#include <cstdio>
#include <vector>

#include "matrix/mfma-simulated-scaled.h"
#include "numerics/print-layouts.h"

namespace gpumark::numerics {
namespace {

using namespace device;

/** The operands of a block-scaled instruction in its 64 lanes. Initially all numbers are 0 and all scales 1. */
template <u32 bits>
class ScaledLanes {
 public:
  ScaledLanes() {
    for (u32 lane = 0; lane < 64; ++lane) {
      own_[lane] = {a_[lane].data(), b_[lane].data(), sums_[lane].data(), 127, 127};
      all_[lane] = &own_[lane];
    }
  }
  ScaledLanes(const ScaledLanes&) = delete;
  ScaledLanes& operator=(const ScaledLanes&) = delete;

  /** Sets a number to 1, in E4M3 or E2M1, or to 0. */
  void set(char matrix, u32 lane, u32 index, bool is_one) {
    unsigned char& byte = (matrix == 'A' ? a_ : b_)[lane][index * bits / 8];
    const u32 one = bits == 8 ? 0x38 : 2, shift = index * bits % 8;
    byte = static_cast<unsigned char>((byte & ~(((1u << bits) - 1) << shift)) | (is_one ? one << shift : 0));
  }
  void set_all(char matrix) {
    for (u32 lane = 0; lane < 64; ++lane) {
      for (u32 index = 0; index < 32; ++index) set(matrix, lane, index, true);
    }
  }
  /** 127 stands for a factor of 1, 128 for 2. */
  void set_scale(char matrix, u32 lane, u32 exponent) {
    (matrix == 'A' ? own_[lane].scale_a : own_[lane].scale_b) = exponent;
  }
  double number(char matrix, u32 line, u32 k) const {
    return scaled_unit_number<bits>(all_.data(), line, k, matrix == 'A');
  }
  /** The results by lane and register. */
  const std::array<std::array<float, 16>, 64>& act() {
    for (auto& sums : sums_) sums.fill(0);
    act_scaled_unit<bits>(all_.data());
    return sums_;
  }

 private:
  std::array<std::array<unsigned char, 32>, 64> a_ = {}, b_ = {};
  std::array<std::array<float, 16>, 64> sums_ = {};
  std::array<ScaledUnitOwn, 64> own_ = {};
  std::array<void*, 64> all_ = {};
};

struct Place {
  u32 lane, index, line, k;
};

/** Where the instruction takes each number of an operand from: found with a single 1 at each index of each lane. */
template <u32 bits>
std::vector<Place> places_of(char matrix) {
  std::vector<Place> places;
  ScaledLanes<bits> lanes;
  for (u32 lane = 0; lane < 64; ++lane) {
    for (u32 index = 0; index < 32; ++index) {
      lanes.set(matrix, lane, index, true);
      for (u32 line = 0; line < 32; ++line) {
        for (u32 k = 0; k < 64; ++k) {
          if (lanes.number(matrix, line, k) == 1) places.push_back({lane, index, line, k});
        }
      }
      lanes.set(matrix, lane, index, false);
    }
  }
  return places;
}

/** Sets the number at k 0 of row `line` of A, or of column `line` of B, to 1 or back to 0. */
template <u32 bits>
void set_first(ScaledLanes<bits>& lanes, char matrix, const std::vector<Place>& places, u32 line, bool is_one) {
  for (const Place& place : places) {
    if (place.line == line && place.k == 0) lanes.set(matrix, place.lane, place.index, is_one);
  }
}

/** If a row of A and a column of B have a single 1 each, exactly one result is not 0. */
template <u32 bits>
void print_results(const char* instruction, const std::vector<Place>& of_a, const std::vector<Place>& of_b) {
  ScaledLanes<bits> lanes;
  for (u32 row = 0; row < 32; ++row) {
    set_first(lanes, 'A', of_a, row, true);
    for (u32 column = 0; column < 32; ++column) {
      set_first(lanes, 'B', of_b, column, true);
      const auto& sums = lanes.act();
      for (u32 lane = 0; lane < 64; ++lane) {
        for (u32 i = 0; i < 16; ++i) {
          if (sums[lane][i] == 1) std::printf("%s D %u %u %u %u\n", instruction, lane, i, row, column);
        }
      }
      set_first(lanes, 'B', of_b, column, false);
    }
    set_first(lanes, 'A', of_a, row, false);
  }
}

/**
 * Scales as matrices: rows of A by blocks of 32 along k, or blocks by columns of B. The operand has a single 1 at the
 * beginning of a block and the other operand only ones, so that the sum of all results is 32 times the scale.
 */
template <u32 bits>
void print_scales(const char* instruction, char matrix, const std::vector<Place>& places) {
  ScaledLanes<bits> lanes;
  lanes.set_all(matrix == 'A' ? 'B' : 'A');
  for (const auto& [lane, index, line, k] : places) {
    if (k % 32 != 0) continue;
    lanes.set(matrix, lane, index, true);
    for (u32 scaled = 0; scaled < 64; ++scaled) {
      lanes.set_scale(matrix, scaled, 128);
      float sum = 0;
      for (const auto& sums : lanes.act()) {
        for (const float one : sums) sum += one;
      }
      lanes.set_scale(matrix, scaled, 127);
      const u32 row = matrix == 'A' ? line : k / 32, column = matrix == 'A' ? k / 32 : line;
      if (sum == 64) std::printf("%s scale-%c %u 0 %u %u\n", instruction, matrix, scaled, row, column);
    }
    lanes.set(matrix, lane, index, false);
  }
}

template <u32 bits>
void print(const char* instruction) {
  const std::vector<Place> of_a = places_of<bits>('A'), of_b = places_of<bits>('B');
  for (const auto& [lane, index, row, k] : of_a) {
    std::printf("%s A %u %u %u %u\n", instruction, lane, index, row, k);
  }
  print_scales<bits>(instruction, 'A', of_a);
  for (const auto& [lane, index, column, k] : of_b) {
    std::printf("%s B %u %u %u %u\n", instruction, lane, index, k, column);
  }
  print_scales<bits>(instruction, 'B', of_b);
  print_results<bits>(instruction, of_a, of_b);
}

}  // namespace

void print_scaled_layouts() {
  print<8>("cdna4-v_mfma_scale_f32_32x32x64_f8f6f4-fp8");
  print<4>("cdna4-v_mfma_scale_f32_32x32x64_f8f6f4-fp4");
}

}  // namespace gpumark::numerics
