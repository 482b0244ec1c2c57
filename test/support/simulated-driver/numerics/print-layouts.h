// Which element of A, B and D the simulated matrix instructions of AMD expect in which lane and register: to be
// compared with AMD's tables.
#pragma once

namespace gpumark::numerics {

/** A line per element: instruction, matrix, lane, place among the lane's numbers, row, column. */
void print_layouts();

/** The same of the instruction with block scales, asked by running it; scales are matrices `scale-A` and `scale-B`. */
void print_scaled_layouts();

}  // namespace gpumark::numerics
