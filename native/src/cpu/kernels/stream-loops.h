// The streaming loops, once for every instruction set. Store is a functor that writes one vector with a non-temporal
// store.
#pragma once
#include <cstddef>

#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

struct PlainStore {
  template <class V>
  static void put(double* at, V value) {
    *reinterpret_cast<V*>(at) = value;
  }
  static void drain() {}
};

template <class V, class Store>
void triad(double* a, const double* b, const double* c, double scalar, std::size_t n) {
  constexpr std::size_t kLanes = sizeof(V) / sizeof(double);
  const V factor = scalar - V{};
  for (std::size_t i = 0; i < n; i += 4 * kLanes) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < 4 * kLanes; j += kLanes) {
      Store::put(a + i + j, *reinterpret_cast<const V*>(b + i + j) + factor * *reinterpret_cast<const V*>(c + i + j));
    }
  }
  Store::drain();
}

template <class V, class Store>
void copy(double* a, const double* b, std::size_t n) {
  constexpr std::size_t kLanes = sizeof(V) / sizeof(double);
  for (std::size_t i = 0; i < n; i += 4 * kLanes) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < 4 * kLanes; j += kLanes) Store::put(a + i + j, *reinterpret_cast<const V*>(b + i + j));
  }
  Store::drain();
}

/** Eight running sums: enough adds in flight that the loads, not the adds, are the limit. */
template <class V>
double read(const double* a, std::size_t n) {
  constexpr std::size_t kLanes = sizeof(V) / sizeof(double);
  V sums[8] = {};
  for (std::size_t i = 0; i < n; i += 8 * kLanes) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < 8; ++j) sums[j] += *reinterpret_cast<const V*>(a + i + j * kLanes);
  }
  double total = 0;
  for (int j = 0; j < 8; ++j) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) total += sums[j][lane];
  }
  return total;
}

template <class V, class NtStore>
constexpr StreamKernels stream_kernels() {
  return {triad<V, PlainStore>, triad<V, NtStore>, copy<V, PlainStore>, copy<V, NtStore>, read<V>};
}

}  // namespace
}  // namespace gpumark
