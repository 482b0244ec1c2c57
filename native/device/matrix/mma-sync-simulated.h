// The instructions of mma-sync-ops.h and mma-sync-multiply.h in C++, lane by lane after the tables of the PTX manual,
// and after nothing else: no function here is shared with the kernels.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../block.h"
#include "../number-formats.h"

namespace gpumark::device::mma_sync::simulated {

inline unsigned char* at_window(u32 address) {
  return static_cast<unsigned char*>(gpumark_sim_shared(gpumark_sim_cluster_rank())) + address;
}

[[noreturn]] inline void fault(const char* what) {
  std::fprintf(stderr, "simulated instruction: %s\n", what);
  std::abort();
}

/**
 * Shared memory has 32 banks of 4 bytes. Lanes that are served together, those whose bytes make up 128, must not meet
 * in one: it would not be wrong, but half as fast, so it is no mistake to make here.
 */
template <u32 bytes>
void check_banks(void* const* all) {
  u32 seen = 0;
  for (u32 lane = 0; lane < 128 / bytes; ++lane) {
    const u32 group = *static_cast<const u32*>(all[lane]) / bytes % (128 / bytes);
    if (seen >> group & 1) fault("two lanes at one bank of shared memory");
    seen |= 1u << group;
  }
}

// ---- ldmatrix

struct MatrixLoad {
  u32* to;
  u32 address;
};
inline void load_matrices_together(void* const* all) {
  const auto* const* lanes = reinterpret_cast<const MatrixLoad* const*>(all);
  for (u32 i = 0; i < 4; ++i) {
    u32 addresses[8];
    void* rows[8];
    for (u32 row = 0; row < 8; ++row) {
      addresses[row] = lanes[8 * i + row]->address;
      rows[row] = &addresses[row];
    }
    check_banks<16>(rows);
  }
  for (u32 lane = 0; lane < 32; ++lane) {
    for (u32 i = 0; i < 4; ++i)
      std::memcpy(lanes[lane]->to + i, at_window(lanes[8 * i + lane / 4]->address) + 4 * (lane % 4), 4);
  }
}
inline void load_matrices(u32 (&to)[4], u32 address) {
  if (address % 16) fault("ldmatrix from an address that is no multiple of 16");
  MatrixLoad own = {to, address};
  gpumark_sim_together(32, &own, load_matrices_together);
}

// ---- loads of 16 bytes per lane

/**
 * 16 lanes that follow each other are served together if their addresses are at most 8, each in another group of 4
 * banks, and if lanes l and l ^ 1 everywhere, or l and l ^ 2 everywhere, have the same one.
 */
inline void check_quad_banks(void* const* all) {
  const auto address = [&](u32 lane) { return *static_cast<const u32*>(all[lane]); };
  bool by_one = true, by_two = true;
  for (u32 lane = 0; lane < 32; ++lane) {
    by_one = by_one && address(lane) == address(lane ^ 1);
    by_two = by_two && address(lane) == address(lane ^ 2);
    for (u32 other = lane / 16 * 16; other < lane; ++other) {
      if (address(lane) != address(other) && address(lane) / 16 % 8 == address(other) / 16 % 8)
        fault("two lanes at one bank of shared memory");
    }
  }
  if (!by_one && !by_two) fault("lanes whose loads of 16 bytes are not served 16 at a time");
}
template <u32 count, u32 step>
void load_quads(float* to, u32 address) {
  static_assert(step % 16 == 0);
  if (address % 16) fault("a load of 16 bytes from an address that is no multiple of 16");
  gpumark_sim_together(32, &address, check_quad_banks);
  for (u32 i = 0; i < count; ++i) std::memcpy(to + 4 * i, at_window(address + i * step), 16);
}

inline void warp_barrier() {
  u32 nothing = 0;
  gpumark_sim_together(32, &nothing, [](void* const*) {});
}

inline u32 pair_bits(NumberFormat format, float x, float y) {
  return encode_number(format, x) | encode_number(format, y) << 16;
}

// ---- cp.async: each copy is done at once, or as late as it may be. A wait that is missing shows by the late ones, a
// buffer that is written again too early by the early ones.

class CopyQueue {
 public:
  template <u32 bytes>
  void copy(u32 to, const void* from) {
    if (to % bytes || reinterpret_cast<unsigned long long>(from) % bytes)
      fault("cp.async with an address that is no multiple of its size");
    gpumark_sim_together(128 / bytes, &to, check_banks<bytes>);
    static thread_local u32 count = 0;
    const bool late = (++count * 2654435761u) >> 31;
    if (late)
      waiting_.push_back({to, bytes, from, group_});
    else
      std::memcpy(at_window(to), from, bytes);
  }
  void commit() { ++group_; }
  void wait(u32 groups) {
    std::vector<Copy> later;
    for (const Copy& one : waiting_) {
      if (one.group + groups < group_)
        std::memcpy(at_window(one.to), one.from, one.bytes);
      else
        later.push_back(one);
    }
    waiting_ = later;
  }

 private:
  struct Copy {
    u32 to, bytes;
    const void* from;
    u32 group;
  };
  std::vector<Copy> waiting_;
  u32 group_ = 0;
};

// ---- mma, 16 x 8, sums in fp32. "Matrix Fragments for mma.m16n8k8, .m16n8k16, .m16n8k32": group = lane / 4, member =
// lane % 4; with numbers of `bytes` bytes, of which a register holds 4 / bytes:
//   A: row = group, + 8 for registers 1 and 3; k = member * (4 / bytes) + place in the register, + half the depth for
//   registers 2 and 3.
//      At depth 8 of 16-bit numbers there are registers 0 and 1 alone.
//   B: column = group; k as in A, + half the depth for register 1.
//   C: row = group, + 8 for sums 2 and 3; column = 2 * member + (i % 2).

/** All numbers of a format, since the bits are looked up very often. */
template <NumberFormat format, u32 count>
struct NumberTable {
  float of[count];
  NumberTable() {
    for (u32 i = 0; i < count; ++i) of[i] = decode_number(format, i);
  }
};
template <NumberFormat format, u32 count>
double number_of_bits(u32 bits) {
  static const NumberTable<format, count> table;
  return table.of[bits];
}

struct HalfNumbers {
  static constexpr u32 kBytes = 2;
  static double value(u32 bits) { return number_of_bits<NumberFormat::fp16, 65536>(bits); }
};
struct BrainNumbers {
  static constexpr u32 kBytes = 2;
  static double value(u32 bits) { return float_of_bits(bits << 16); }
};
struct QuarterNumbers {
  static constexpr u32 kBytes = 1;
  static double value(u32 bits) { return number_of_bits<NumberFormat::e4m3, 256>(bits); }
};
/** The lower 13 bits are not there for the unit. */
struct Tf32Numbers {
  static constexpr u32 kBytes = 4;
  static double value(u32 bits) { return float_of_bits(bits & 0xffffe000u); }
};

struct Fragments {
  float* sum;
  const u32* a;
  const u32* b;
};

template <class Numbers>
double number_in(u32 word, u32 place) {
  return Numbers::value(
      Numbers::kBytes == 4 ? word : word >> (8 * Numbers::kBytes * place) & ((1u << (8 * Numbers::kBytes % 32)) - 1));
}

/** How the units round inside is not documented; here the exact sum of one instruction is rounded once. */
template <class Numbers, u32 depth>
void multiply_together(void* const* all) {
  const auto* const* lanes = reinterpret_cast<const Fragments* const*>(all);
  constexpr u32 each = 4 / Numbers::kBytes, halves = depth / (4 * each);
  static_assert(halves == 1 || halves == 2);
  double a[16][depth], b[depth][8], sum[16][8];
  for (u32 lane = 0; lane < 32; ++lane) {
    const u32 group = lane / 4, member = lane % 4;
    for (u32 half = 0; half < halves; ++half) {
      for (u32 place = 0; place < each; ++place) {
        const u32 k = member * each + place + half * (depth / 2);
        a[group][k] = number_in<Numbers>(lanes[lane]->a[2 * half], place);
        a[group + 8][k] = number_in<Numbers>(lanes[lane]->a[2 * half + 1], place);
        b[k][group] = number_in<Numbers>(lanes[lane]->b[half], place);
      }
    }
    for (u32 i = 0; i < 4; ++i) sum[group + (i >= 2 ? 8 : 0)][2 * member + i % 2] = lanes[lane]->sum[i];
  }
  // Columns innermost: the host's compiler makes vectors of them.
  for (u32 row = 0; row < 16; ++row) {
    for (u32 k = 0; k < depth; ++k) {
      for (u32 column = 0; column < 8; ++column) sum[row][column] += a[row][k] * b[k][column];
    }
  }
  for (u32 lane = 0; lane < 32; ++lane) {
    for (u32 i = 0; i < 4; ++i)
      lanes[lane]->sum[i] = static_cast<float>(sum[lane / 4 + (i >= 2 ? 8 : 0)][2 * (lane % 4) + i % 2]);
  }
}
template <class Numbers, u32 depth>
void multiply(float* sum, const u32* a, const u32* b) {
  Fragments own = {sum, a, b};
  gpumark_sim_together(32, &own, multiply_together<Numbers, depth>);
}

}  // namespace gpumark::device::mma_sync::simulated

#include "mma-sync-simulated-fp64.h"
