// The actual clock frequency, from a chain of dependent instructions of known latency timed by the steady clock. Not
// from cpuinfo, which shows the nominal or the governor's frequency, and in a virtual machine neither.
#pragma once
#include <cstdint>

#include "measure/time.h"

namespace gpumark {

/** Runs 64 dependent register-to-register adds per round, one cycle each on every core in use today. Returns GHz. */
inline double add_chain_ghz(std::uint64_t rounds) {
  std::uint64_t value = 1, step = 3, left = rounds;
  const double start = now_seconds();
  // Not an add of a constant: recent cores fold those away before they execute.
#if defined(__x86_64__)
  __asm__ volatile(".p2align 5\n1:\n\t.rept 64\n\tadd %[step], %[value]\n\t.endr\n\tdec %[left]\n\tjnz 1b"
                   : [value] "+r"(value), [left] "+r"(left)
                   : [step] "r"(step)
                   : "cc");
#else
  __asm__ volatile(
      ".p2align 5\n1:\n\t.rept 64\n\tadd %[value], %[value], %[step]\n\t.endr\n\tsubs %[left], %[left], #1\n\tb.ne 1b"
      : [value] "+r"(value), [left] "+r"(left)
      : [step] "r"(step)
      : "cc");
#endif
  return static_cast<double>(rounds) * 64 / (now_seconds() - start) * 1e-9;
}

#if defined(__x86_64__)
/** Cross-check: 64-bit multiplies, three cycles each on Intel since Nehalem and on AMD since Zen 2. */
inline double multiply_chain_ghz(std::uint64_t rounds) {
  std::uint64_t value = 3, factor = 5, left = rounds;
  const double start = now_seconds();
  __asm__ volatile(".p2align 5\n1:\n\t.rept 32\n\timul %[factor], %[value]\n\t.endr\n\tdec %[left]\n\tjnz 1b"
                   : [value] "+r"(value), [left] "+r"(left)
                   : [factor] "r"(factor)
                   : "cc");
  return static_cast<double>(rounds) * 32 * 3 / (now_seconds() - start) * 1e-9;
}
#endif

}  // namespace gpumark
