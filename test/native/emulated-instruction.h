// One AVX-512 or AMX instruction as the emulator sees it: what the prefix, ModRM and address bytes say.
#pragma once
#include <cstdint>
#include <cstring>
#include <ucontext.h>

namespace emulated {

enum class Encoding { vex, evex };

struct Instruction {
  Encoding encoding = Encoding::vex;
  /** 1 = 0F, 2 = 0F38, 3 = 0F3A. */
  int map = 0;
  /** 0 none, 1 = 66, 2 = F3, 3 = F2. */
  int prefix = 0;
  bool wide = false;
  int opcode = 0;
  int modrm_reg = 0;
  /** Register number of the r/m operand, when it is one. */
  int rm = 0;
  int vvvv = 0;
  bool in_memory = false;
  /** The mod = 11 form's general register (extended by B only), for moves from and to general registers. */
  int general = 0;
  /** The memory operand's base plus displacement, and the scaled index apart (AMX: the stride of rows). */
  std::uint64_t address = 0;
  std::uint64_t index = 0;
  int vector_bytes = 0;
  bool broadcast = false;
  bool masked = false;
  int immediate = 0;
  int length = 0;
};

/** General registers by their number in instructions. */
inline greg_t& general_register(ucontext_t& context, int number) {
  static constexpr int kOrder[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                     REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return context.uc_mcontext.gregs[kOrder[number]];
}

/** Bytes of the memory operand, by which EVEX scales displacements of one byte. */
inline int memory_bytes(const Instruction& in) {
  if (in.encoding == Encoding::vex) return 1;
  if (in.broadcast) return in.wide ? 8 : 4;
  if (in.map == 2 && (in.opcode == 0x58 || in.opcode == 0x18)) return 4;
  if (in.map == 2 && in.opcode == 0x19) return 8;
  if (in.map == 3 && in.opcode == 0x1d) return in.vector_bytes / 2;
  if (in.map == 1 && (in.opcode == 0x6e || in.opcode == 0x7e || in.opcode == 0xd6)) return in.wide ? 8 : 4;
  return in.vector_bytes;
}

inline void decode_prefix(Instruction& in, const std::uint8_t* code, int& at, int extension[4]) {
  const bool evex = code[0] == 0x62;
  in.encoding = evex ? Encoding::evex : Encoding::vex;
  // The bits that extend register numbers are stored inverted. extension: R, X, B, R'.
  extension[0] = ~code[1] >> 7 & 1;
  extension[1] = ~code[1] >> 6 & 1;
  extension[2] = ~code[1] >> 5 & 1;
  extension[3] = evex ? ~code[1] >> 4 & 1 : 0;
  in.map = code[1] & (evex ? 0x7 : 0x1f);
  in.wide = code[2] >> 7;
  in.vvvv = ~code[2] >> 3 & 0xf;
  in.prefix = code[2] & 3;
  in.vector_bytes = code[2] & 4 ? 32 : 16;
  at = 3;
  if (!evex) return;
  in.vector_bytes = 16 << (code[3] >> 5 & 3);
  in.broadcast = code[3] >> 4 & 1;
  in.vvvv |= (~code[3] >> 3 & 1) << 4;
  in.masked = code[3] & 7;
  at = 4;
}

/** Only the three-byte VEX and the EVEX prefix: what AMX and AVX-512 have. False for anything else. */
inline bool decode(const std::uint8_t* code, ucontext_t& context, Instruction& in) {
  if (code[0] != 0xc4 && code[0] != 0x62) return false;
  int at = 0;
  int extension[4];
  decode_prefix(in, code, at, extension);
  in.opcode = code[at++];
  const int modrm = code[at++];
  const int mod = modrm >> 6;
  const int low = modrm & 7;
  in.modrm_reg = (modrm >> 3 & 7) | extension[0] << 3 | extension[3] << 4;
  in.rm = low | extension[2] << 3 | (in.encoding == Encoding::evex ? extension[1] << 4 : 0);
  in.general = low | extension[2] << 3;
  in.in_memory = mod != 3;
  bool relative = false;
  if (in.in_memory) {
    int base = in.general;
    if (low == 4) {
      const int sib = code[at++];
      const int index = (sib >> 3 & 7) | extension[1] << 3;
      if (index != 4) in.index = static_cast<std::uint64_t>(general_register(context, index)) << (sib >> 6);
      base = (sib & 7) | extension[2] << 3;
      if (mod == 0 && (sib & 7) == 5) return false;
    }
    relative = mod == 0 && low == 5;
    if (!relative) in.address = static_cast<std::uint64_t>(general_register(context, base));
    if (mod == 1) in.address += static_cast<std::uint64_t>(static_cast<std::int8_t>(code[at++]) * memory_bytes(in));
    if (mod == 2 || relative) {
      std::int32_t displacement = 0;
      std::memcpy(&displacement, code + at, sizeof displacement);
      in.address += static_cast<std::uint64_t>(static_cast<std::int64_t>(displacement));
      at += 4;
    }
  }
  if (in.map == 3) in.immediate = code[at++];
  in.length = at;
  if (relative) in.address += reinterpret_cast<std::uint64_t>(code) + static_cast<std::uint64_t>(at);
  return true;
}

}  // namespace emulated
