// The AVX-512 instructions that the compilers use in the kernels, 512 bits wide and without masks.
#pragma once
#include "emulated-instruction.h"
#include "emulated-numbers.h"
#include "emulated-registers.h"
#include "half-words.h"

namespace emulated {

template <class T>
T lane(const Vector& v, int i) {
  T value;
  std::memcpy(&value, v.bytes + static_cast<std::size_t>(i) * sizeof(T), sizeof value);
  return value;
}
template <class T>
void set_lane(Vector& v, int i, T value) {
  std::memcpy(v.bytes + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof value);
}

inline const void* memory_of(const Instruction& in) { return reinterpret_cast<const void*>(in.address + in.index); }

/** The r/m operand: a register, a block of memory, or one word of memory for all lanes. */
inline Vector operand(const Instruction& in, const Registers& registers) {
  if (!in.in_memory) return registers.read(in.rm);
  Vector v;
  if (!in.broadcast) {
    std::memcpy(v.bytes, memory_of(in), static_cast<std::size_t>(in.vector_bytes));
    return v;
  }
  const std::size_t size = in.wide ? 8 : 4;
  for (std::size_t i = 0; i < sizeof v.bytes; i += size) std::memcpy(v.bytes + i, memory_of(in), size);
  return v;
}

inline void store(const Instruction& in, Registers& registers, const Vector& v, int bytes) {
  if (!in.in_memory) return registers.write(in.rm, v);
  std::memcpy(reinterpret_cast<void*>(in.address + in.index), v.bytes, static_cast<std::size_t>(bytes));
}

/** Two products per sum, the second (upper) element of each pair first. */
inline Vector add_bf16_pairs(Vector sums, const Vector& a, const Vector& b) {
  for (int i = 0; i < 16; ++i) {
    float sum = lane<float>(sums, i);
    sum =
        multiply_add(bf16_value(lane<std::uint16_t>(a, 2 * i + 1)), bf16_value(lane<std::uint16_t>(b, 2 * i + 1)), sum);
    sum = multiply_add(bf16_value(lane<std::uint16_t>(a, 2 * i)), bf16_value(lane<std::uint16_t>(b, 2 * i)), sum);
    set_lane(sums, i, sum);
  }
  return sums;
}

inline Vector to_bf16(const Vector& v) {
  Vector out;
  for (int i = 0; i < 16; ++i) {
    const auto bits = lane<std::uint32_t>(v, i);
    const float value = lane<float>(v, i);
    std::uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    if (flushed(value) == 0) rounded = bits & 0x80000000;
    if (std::isnan(value)) rounded = bits | 0x400000;
    set_lane(out, i, static_cast<std::uint16_t>(rounded >> 16));
  }
  return out;
}

inline Vector to_fp16(const Vector& v) {
  Vector out;
  for (int i = 0; i < 16; ++i) set_lane(out, i, gpumark::half_of(lane<float>(v, i)));
  return out;
}

inline Vector broadcast_word(std::uint32_t word) {
  Vector v;
  for (int i = 0; i < 16; ++i) set_lane(v, i, word);
  return v;
}

template <class T>
Vector sum_of(const Vector& a, const Vector& b) {
  Vector out;
  for (int i = 0; i < static_cast<int>(sizeof out.bytes / sizeof(T)); ++i)
    set_lane<T>(out, i, lane<T>(a, i) + lane<T>(b, i));
  return out;
}

/**
 * vfmadd132, 213 and 231: the digits say which operands are multiplied and which is added; the destination is the
 * first.
 */
template <class T>
Vector fused(int opcode, const Vector& first, const Vector& second, const Vector& third) {
  const Vector& a = opcode == 0xb8 ? second : first;
  const Vector& b = opcode == 0xa8 ? second : third;
  const Vector& added = opcode == 0x98 ? second : opcode == 0xa8 ? third : first;
  Vector out;
  for (int i = 0; i < static_cast<int>(sizeof out.bytes / sizeof(T)); ++i)
    set_lane<T>(out, i, std::fma(lane<T>(a, i), lane<T>(b, i), lane<T>(added, i)));
  return out;
}

inline Vector exclusive_or(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < sizeof a.bytes; ++i) a.bytes[i] = static_cast<unsigned char>(a.bytes[i] ^ b.bytes[i]);
  return a;
}

/**
 * Moves between a general register and an xmm register, where compilers keep addresses when general registers run out.
 */
inline bool execute_move_of_general(const Instruction& in, ucontext_t& context, Registers& registers) {
  if (in.in_memory || !in.wide || in.prefix != 1) return false;
  greg_t& general = general_register(context, in.general);
  if (in.opcode == 0x7e) {
    general = lane<greg_t>(registers.read(in.modrm_reg), 0);
  } else {
    Vector v;
    set_lane(v, 0, general);
    registers.write(in.modrm_reg, v);
  }
  return true;
}

/** False for an instruction that is not known here. */
inline bool execute_vector(const Instruction& in, ucontext_t& context, Registers& r) {
  if (in.masked) return false;
  const int which = in.map << 12 | in.prefix << 8 | in.opcode;
  if (which == 0x116e || which == 0x117e) return execute_move_of_general(in, context, r);
  if (in.vector_bytes != 64) return false;
  switch (which) {
    // vmovups, vmovaps, their forms for doubles, vmovdqa32 and 64, vmovdqu32 and 64: loads, then stores.
    case 0x1010:
    case 0x1028:
    case 0x1110:
    case 0x1128:
    case 0x116f:
    case 0x126f: r.write(in.modrm_reg, operand(in, r)); return true;
    case 0x1011:
    case 0x1029:
    case 0x1111:
    case 0x1129:
    case 0x117f:
    case 0x127f: store(in, r, r.read(in.modrm_reg), 64); return true;
    case 0x1057:
    case 0x1157:
    case 0x11ef: r.write(in.modrm_reg, exclusive_or(r.read(in.vvvv), operand(in, r))); return true;
    case 0x1058: r.write(in.modrm_reg, sum_of<float>(r.read(in.vvvv), operand(in, r))); return true;
    case 0x1158: r.write(in.modrm_reg, sum_of<double>(r.read(in.vvvv), operand(in, r))); return true;
    case 0x2198:
    case 0x21a8:
    case 0x21b8: {
      const auto add = in.wide ? fused<double> : fused<float>;
      r.write(in.modrm_reg, add(in.opcode, r.read(in.modrm_reg), r.read(in.vvvv), operand(in, r)));
      return true;
    }
    // vbroadcastsd of memory.
    case 0x2119: {
      if (!in.in_memory) return false;
      Instruction all = in;
      all.broadcast = true;
      r.write(in.modrm_reg, operand(all, r));
      return true;
    }
    // vbroadcastss, vpbroadcastd: of a word in memory, or of the lowest lane of a register; then of a general register.
    case 0x2118:
    case 0x2158: {
      std::uint32_t word = lane<std::uint32_t>(r.read(in.rm), 0);
      if (in.in_memory) std::memcpy(&word, memory_of(in), sizeof word);
      r.write(in.modrm_reg, broadcast_word(word));
      return true;
    }
    case 0x217c:
      r.write(in.modrm_reg, broadcast_word(static_cast<std::uint32_t>(general_register(context, in.general))));
      return true;
    case 0x2252:
      r.write(in.modrm_reg, add_bf16_pairs(r.read(in.modrm_reg), r.read(in.vvvv), operand(in, r)));
      return true;
    case 0x2272: r.write(in.modrm_reg, to_bf16(operand(in, r))); return true;
    case 0x311d: store(in, r, to_fp16(r.read(in.modrm_reg)), 32); return in.immediate == 0;
    default: return false;
  }
}

}  // namespace emulated
