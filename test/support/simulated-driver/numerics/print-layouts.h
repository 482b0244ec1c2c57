// Prints which element of A, B and D the simulated matrix instructions of AMD expect in which lane and register, for a
// comparison with AMD's tables.
#pragma once

namespace gpumark::numerics {

/** One line per element: instruction, matrix, lane, index among the lane's numbers, row, column. */
void print_layouts();

/** The same for the instruction with block scales, found by running it. Scales are matrices `scale-A` and `scale-B`. */
void print_scaled_layouts();

}  // namespace gpumark::numerics
