// One multiplication problem: matrices, workspace, timing, repeat check and verification.
#pragma once
#include <cstring>

#include "cpu/cpu-context.h"
#include "cpu/gemm-multiply.h"
#include "cpu/gemm-verify.h"
#include "cpu/host-memory.h"
#include "measure/fault.h"
#include "measure/random.h"

namespace gpumark {

template <class T>
class GemmRun {
 public:
  GemmRun(CpuContext& cpu, const GemmBlocking& g)
      : cpu_(cpu), g_(g), a_(bytes(g.n * g.ld)), b_(bytes(g.n * g.ld)), c_(bytes(g.n * g.ld)), workspace_(bytes(gemm_workspace_elements(g))) {
    if (!*this) return;
    cpu_.pool.run([this](int thread) {
      const Share rows = share_of(g_.n, thread, cpu_.pool.size(), 1);
      for (std::size_t i = rows.begin * g_.ld; i < rows.end * g_.ld; ++i) {
        a_.template as<T>()[i] = cpu_.options.random_data ? static_cast<T>(random_normal(cpu_.options.seed, i)) : T{0};
        b_.template as<T>()[i] = cpu_.options.random_data ? static_cast<T>(random_normal(cpu_.options.seed + 1, i)) : T{0};
      }
    });
    poison();
  }
  explicit operator bool() const { return a_ && b_ && c_ && workspace_; }

  /** TFLOP/s of one multiplication over a poisoned C; remembers whether the result repeated bit for bit. */
  double slice() {
    poison();
    const double seconds = multiply<T>(cpu_.pool, g_, a_.template as<T>(), b_.template as<T>(), c_.template as<T>(), workspace_.template as<T>());
    const auto n = static_cast<double>(g_.n);
    return 2 * n * n * n / seconds * 1e-12;
  }
  double hashed_slice() {
    const double rate = slice();
    const std::uint64_t hash = hash_matrix(cpu_.pool, c_.template as<T>(), g_.n, g_.ld);
    if (slices_++ == 0) first_hash_ = hash;
    repeats_ = repeats_ && hash == first_hash_;
    return rate;
  }
  bool repeats() const { return repeats_; }
  GemmVerdict verify(const char* benchmark) {
    spoil_output(benchmark, c_.as<T>(), g_.n * g_.ld / 2 * sizeof(T));
    return verify_product<T>(cpu_.pool, {g_.n, g_.ld, a_.template as<T>(), b_.template as<T>(), c_.template as<T>(), g_.kc}, cpu_.options.seed);
  }
  const GemmBlocking& blocking() const { return g_; }

 private:
  static std::size_t bytes(std::size_t elements) { return elements * sizeof(T); }

  /** All bits set is NaN: an element that no tile writes cannot pass for a result. */
  void poison() {
    cpu_.pool.run([this](int thread) {
      const Share rows = share_of(g_.n, thread, cpu_.pool.size(), 1);
      std::memset(c_.template as<T>() + rows.begin * g_.ld, 0xff, bytes((rows.end - rows.begin) * g_.ld));
    });
  }

  CpuContext& cpu_;
  GemmBlocking g_;
  HostMemory a_, b_, c_, workspace_;
  std::uint64_t first_hash_ = 0;
  int slices_ = 0;
  bool repeats_ = true;
};

}  // namespace gpumark
