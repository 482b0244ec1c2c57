// Executes the AVX-512 and AMX instructions that this processor does not have, one SIGILL at a time, by the definitions
// in Intel's manual. It lets the tests run the real machine code of the kernels on any x86-64; it says nothing about
// speed, and the product does not contain it.
#pragma once
#include <cstdint>

namespace emulated {

/**
 * From here on an instruction that the processor refuses is emulated; one that the emulator does not know ends the
 * process.
 */
void catch_refused_instructions();

/** The signal of a refused instruction must reach the thread that executes it. */
void unblock_on_this_thread();

/**
 * For the calling thread: forgets what the halves of zmm0-15 that the processor does not have hold (a VEX write clears
 * them).
 */
void clear_upper_halves();

/** How often a product instruction was emulated since the start, on all threads: vdpbf16ps, tdpbf16ps, tdpfp16ps. */
struct Counts {
  std::uint64_t vdpbf16ps, tdpbf16ps, tdpfp16ps;
};
Counts counts();

}  // namespace emulated
