// zmm0-31: the lower halves of 0-15 are the processor's own ymm registers as the signal frame holds them, the rest is
// kept here.
#pragma once
#include <cstdint>
#include <cstring>
#include <ucontext.h>

namespace emulated {

struct Vector {
  unsigned char bytes[64] = {};
};

/** Per thread: upper halves of zmm0-15 (32 bytes used), whole zmm16-31. */
inline Vector* kept_registers() {
  static thread_local Vector kept[32];
  return kept;
}
inline void forget_upper_halves() {
  for (int i = 0; i < 16; ++i) kept_registers()[i] = {};
}

class Registers {
 public:
  explicit Registers(ucontext_t& context) : frame_(reinterpret_cast<unsigned char*>(context.uc_mcontext.fpregs)) {}

  Vector read(int number) const {
    if (number >= 16) return kept_registers()[number];
    Vector v;
    std::memcpy(v.bytes, frame_ + kXmm + number * 16, 16);
    // A component in its initial state is zero whatever its bytes say.
    if (state() & kYmmState) std::memcpy(v.bytes + 16, frame_ + kYmmUpper + number * 16, 16);
    std::memcpy(v.bytes + 32, kept_registers()[number].bytes, 32);
    return v;
  }

  void write(int number, const Vector& v) {
    if (number >= 16) {
      kept_registers()[number] = v;
      return;
    }
    if (!(state() & kYmmState)) std::memset(frame_ + kYmmUpper, 0, 256);
    const std::uint64_t now = state() | kYmmState | kXmmState;
    std::memcpy(frame_ + kHeader, &now, sizeof now);
    std::memcpy(frame_ + kXmm + number * 16, v.bytes, 16);
    std::memcpy(frame_ + kYmmUpper + number * 16, v.bytes + 16, 16);
    std::memcpy(kept_registers()[number].bytes, v.bytes + 32, 32);
  }

 private:
  /**
   * Offsets in a signal frame: the legacy area, the XSAVE header, and the second component, always at 576 in the plain
   * format.
   */
  static constexpr int kXmm = 160, kHeader = 512, kYmmUpper = 576;
  static constexpr std::uint64_t kXmmState = 2, kYmmState = 4;

  std::uint64_t state() const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, frame_ + kHeader, sizeof bits);
    return bits;
  }
  unsigned char* frame_;
};

}  // namespace emulated
