// Packs A and B in the order in which the register tiles read them; each worker packs a share of the panels.
#pragma once
#include <algorithm>
#include <cstring>

#include "cpu/gemm-multiply.h"

namespace gpumark {

/** One pass over the inner dimension for one group of columns. */
struct GemmStep {
  std::size_t column;
  std::size_t columns;
  std::size_t k;
  std::size_t depth;
};

/** Panels of mr rows: packed[panel][k / G][row][k % G]. */
template <int G, class T>
void pack_a_groups(const GemmBlocking& g, const GemmStep& s, const T* a, T* packed, int thread, int threads) {
  const auto mr = static_cast<std::size_t>(g.kernel->mr);
  const std::size_t panels = g.n / mr;
  for (std::size_t panel = panels * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
       panel < panels * (static_cast<std::size_t>(thread) + 1) / static_cast<std::size_t>(threads); ++panel) {
    T* out = packed + panel * mr * s.depth;
    // Step by step rather than row by row: sequential writes with strided reads took half the time of the reverse.
    for (std::size_t k = 0; k < s.depth; k += G) {
      const T* in = a + panel * mr * g.ld + s.k + k;
      for (std::size_t row = 0; row < mr; ++row) std::memcpy(out + k * mr + row * G, in + row * g.ld, G * sizeof(T));
    }
  }
}

typedef short PackedWords __attribute__((vector_size(16)));

template <class T>
PackedWords eight(const T* in) {
  PackedWords words;
  std::memcpy(&words, in, sizeof words);
  return words;
}

/** Four elements from each of two addresses. */
template <class T>
PackedWords four_and_four(const T* low, const T* high) {
  PackedWords words;
  std::memcpy(&words, low, 8);
  std::memcpy(reinterpret_cast<char*>(&words) + 8, high, 8);
  return words;
}

/**
 * G rows of B to out[column][row]. 16-bit elements are moved in whole registers (punpcklwd, zip1, tbl): one by one
 * would cost bfmmla a tenth of its rate.
 */
template <int G, class T>
void interleave(const T* in, std::size_t ld, T* out, std::size_t columns) {
  std::size_t j = 0;
  PackedWords packed[2];
  if constexpr (G == 2 && sizeof(T) == 2) {
    for (; j + 8 <= columns; j += 8) {
      const PackedWords even = eight(in + j), odd = eight(in + ld + j);
      packed[0] = __builtin_shuffle(even, odd, PackedWords{0, 8, 1, 9, 2, 10, 3, 11});
      packed[1] = __builtin_shuffle(even, odd, PackedWords{4, 12, 5, 13, 6, 14, 7, 15});
      std::memcpy(out + 2 * j, packed, sizeof packed);
    }
  } else if constexpr (G == 4 && sizeof(T) == 2) {
    for (; j + 4 <= columns; j += 4) {
      const PackedWords upper = four_and_four(in + j, in + ld + j),
                        lower = four_and_four(in + 2 * ld + j, in + 3 * ld + j);
      packed[0] = __builtin_shuffle(upper, lower, PackedWords{0, 4, 8, 12, 1, 5, 9, 13});
      packed[1] = __builtin_shuffle(upper, lower, PackedWords{2, 6, 10, 14, 3, 7, 11, 15});
      std::memcpy(out + 4 * j, packed, sizeof packed);
    }
  }
  for (; j < columns; ++j) {
    for (std::size_t row = 0; row < G; ++row) out[j * G + row] = in[row * ld + j];
  }
}

/** Panels of nr columns: packed[panel][k / G][column][k % G]. */
template <int G, class T>
void pack_b_groups(const GemmBlocking& g, const GemmStep& s, const T* b, T* packed, int thread, int threads) {
  const auto nr = static_cast<std::size_t>(g.kernel->nr);
  const std::size_t panels = s.columns / nr;
  for (std::size_t panel = panels * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
       panel < panels * (static_cast<std::size_t>(thread) + 1) / static_cast<std::size_t>(threads); ++panel) {
    T* out = packed + panel * nr * s.depth;
    for (std::size_t k = 0; k < s.depth; k += G) {
      const T* in = b + (s.k + k) * g.ld + s.column + panel * nr;
      if constexpr (G == 1) {
        std::copy(in, in + nr, out + k * nr);
      } else {
        interleave<G>(in, g.ld, out + k * nr, nr);
      }
    }
  }
}

/** A kernel with another group size would be packed wrongly and fail its check. */
template <class T>
void pack_a(const GemmBlocking& g, const GemmStep& s, const T* a, T* packed, int thread, int threads) {
  switch (g.kernel->a_group) {
    case 2: return pack_a_groups<2>(g, s, a, packed, thread, threads);
    case 4: return pack_a_groups<4>(g, s, a, packed, thread, threads);
    case 32: return pack_a_groups<32>(g, s, a, packed, thread, threads);
    default: return pack_a_groups<1>(g, s, a, packed, thread, threads);
  }
}

template <class T>
void pack_b(const GemmBlocking& g, const GemmStep& s, const T* b, T* packed, int thread, int threads) {
  switch (g.kernel->b_group) {
    case 2: return pack_b_groups<2>(g, s, b, packed, thread, threads);
    case 4: return pack_b_groups<4>(g, s, b, packed, thread, threads);
    default: return pack_b_groups<1>(g, s, b, packed, thread, threads);
  }
}

}  // namespace gpumark
