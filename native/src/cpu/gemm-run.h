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

template <class Types>
class GemmRun {
 public:
  using Input = typename Types::Input;
  using Sum = typename Types::Sum;
  using Output = typename Types::Output;

  GemmRun(CpuContext& cpu, const GemmBlocking& g) : GemmRun(cpu, g, cpu.options.random_data) {}
  GemmRun(CpuContext& cpu, const GemmBlocking& g, bool random_data)
      : cpu_(cpu),
        g_(g),
        a_(elements() * sizeof(Input)),
        b_(elements() * sizeof(Input)),
        sums_(elements() * sizeof(Sum)),
        converted_(Types::kConverts ? elements() * sizeof(Output) : 1),
        workspace_(gemm_workspace_elements(g) * sizeof(Input)) {
    if (!*this) return;
    each_share([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        a_.template as<Input>()[i] = narrowed<Input>(random_data ? random_normal(cpu_.options.seed, i) : 0);
        b_.template as<Input>()[i] = narrowed<Input>(random_data ? random_normal(cpu_.options.seed + 1, i) : 0);
      }
    });
    poison();
  }
  explicit operator bool() const { return a_ && b_ && sums_ && converted_ && workspace_; }

  /** TFLOP/s of one multiplication over a poisoned C. */
  double slice() {
    poison();
    std::uint16_t* converted = Types::kConverts ? converted_.as<std::uint16_t>() : nullptr;
    const double seconds = multiply<Input, Sum>(
        cpu_.pool, g_, {a_.as<Input>(), b_.as<Input>(), sums_.as<Sum>(), converted, workspace_.as<Input>()});
    const auto n = static_cast<double>(g_.n);
    return 2 * n * n * n / seconds * 1e-12;
  }
  /** The same; also records whether sums and output repeated bit for bit. */
  double hashed_slice() {
    const double rate = slice();
    std::uint64_t hash = hash_matrix(cpu_.pool, sums_.as<Sum>(), g_.n, g_.ld);
    if constexpr (Types::kConverts) hash = hash * 3 + hash_matrix(cpu_.pool, converted_.as<Output>(), g_.n, g_.ld);
    if (slices_++ == 0) first_hash_ = hash;
    repeats_ = repeats_ && hash == first_hash_;
    return rate;
  }
  bool repeats() const { return repeats_; }
  GemmVerdict verify(const char* benchmark) {
    spoil_output(benchmark, output(), elements() / 2 * sizeof(Output));
    Product<Input, Sum> product{g_.n, g_.ld, a_.as<Input>(), b_.as<Input>(), sums_.as<Sum>(), g_.kc};
    if (g_.kernel->rounds_to_odd) product.roundoff *= 2;
    GemmVerdict verdict = verify_product(cpu_.pool, product, cpu_.options.seed);
    if constexpr (Types::kConverts) {
      verdict.wrong_conversions =
          count_wrong_conversions(cpu_.pool, sums_.as<float>(), converted_.as<Output>(), g_.n, g_.ld);
      verdict.right = verdict.right && *verdict.wrong_conversions == 0;
    }
    return verdict;
  }
  const GemmBlocking& blocking() const { return g_; }

 private:
  std::size_t elements() const { return g_.n * g_.ld; }
  void* output() const { return Types::kConverts ? converted_.as<void>() : sums_.as<void>(); }

  template <class Body>
  void each_share(const Body& body) {
    cpu_.pool.run([&](int thread) {
      const Share rows = share_of(g_.n, thread, cpu_.pool.size(), 1);
      body(rows.begin * g_.ld, rows.end * g_.ld);
    });
  }

  /** All bits set is NaN in every type, so an element that no tile writes fails verification. */
  void poison() {
    each_share([&](std::size_t begin, std::size_t end) {
      std::memset(sums_.as<Sum>() + begin, 0xff, (end - begin) * sizeof(Sum));
      if constexpr (Types::kConverts)
        std::memset(converted_.as<std::uint16_t>() + begin, 0xff, (end - begin) * sizeof(Output));
    });
  }

  CpuContext& cpu_;
  GemmBlocking g_;
  HostMemory a_, b_, sums_, converted_, workspace_;
  std::uint64_t first_hash_ = 0;
  int slices_ = 0;
  bool repeats_ = true;
};

}  // namespace gpumark
