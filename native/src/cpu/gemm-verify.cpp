#include "cpu/gemm-verify.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "cpu/cpu-context.h"
#include "measure/random.h"

namespace gpumark {
namespace {

constexpr std::size_t kSamples = 8;
constexpr double kSigmas = 16;

/** Unit roundoff of the reference. */
constexpr double kReferenceRoundoff = std::numeric_limits<double>::epsilon() / 2;

/** |error| / bound, infinite for NaN or for any error if the bound is 0. */
double error_ratio(double error, double bound) {
  if (error == 0) return 0;
  const double ratio = std::fabs(error) / bound;
  return std::isnan(ratio) ? HUGE_VAL : ratio;
}

std::vector<std::size_t> sample_indices(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> indices = {0, n - 1};
  for (std::size_t i = 0; indices.size() < std::min(kSamples, n); ++i)
    indices.push_back(random_bits(seed ^ 0x5a5a, i) % n);
  return indices;
}

/** Worst-case bound of the error of one element from the sum of the sizes of its terms. */
template <class Input, class Sum>
class ErrorBound {
 public:
  explicit ErrorBound(const Product<Input, Sum>& p) {
    // A sum of n terms in blocks of kc, plus the float64 reference's own n roundings.
    const double ours = static_cast<double>(p.kc + (p.n + p.kc - 1) / p.kc + 1) * p.roundoff;
    gamma_ = ours / (1 - ours) + static_cast<double>(p.n) * kReferenceRoundoff;
    // Two roundings per term at most, each of which may flush a result below 2^-126.
    if (sizeof(Input) == 2) flushed_ = static_cast<double>(p.n) * 0x1p-125;
  }
  double of(double size) const { return gamma_ * size + flushed_; }

 private:
  double gamma_;
  double flushed_ = 0;
};

template <class Input, class Sum>
double worst_in_row(const Product<Input, Sum>& p, std::size_t row, std::vector<double>& sums,
                    std::vector<double>& sizes) {
  const ErrorBound<Input, Sum> bound(p);
  std::fill(sums.begin(), sums.end(), 0);
  std::fill(sizes.begin(), sizes.end(), 0);
  for (std::size_t k = 0; k < p.n; ++k) {
    const double factor = widened(p.a[row * p.ld + k]);
    const Input* b = p.b + k * p.ld;
    for (std::size_t j = 0; j < p.n; ++j) {
      const double term = factor * widened(b[j]);
      sums[j] += term;
      sizes[j] += std::fabs(term);
    }
  }
  double worst = 0;
  for (std::size_t j = 0; j < p.n; ++j)
    worst = std::max(worst, error_ratio(p.c[row * p.ld + j] - sums[j], bound.of(sizes[j])));
  return worst;
}

template <class Input, class Sum>
double worst_in_column(const Product<Input, Sum>& p, std::size_t column, std::vector<double>& gathered) {
  const ErrorBound<Input, Sum> bound(p);
  for (std::size_t k = 0; k < p.n; ++k) gathered[k] = widened(p.b[k * p.ld + column]);
  double worst = 0;
  for (std::size_t i = 0; i < p.n; ++i) {
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < p.n; ++k) {
      const double term = widened(p.a[i * p.ld + k]) * gathered[k];
      sum += term;
      size += std::fabs(term);
    }
    worst = std::max(worst, error_ratio(p.c[i * p.ld + column] - sum, bound.of(size)));
  }
  return worst;
}

template <class Input, class Sum>
double worst_sampled(ThreadPool& pool, const Product<Input, Sum>& p, std::uint64_t seed) {
  const std::vector<std::size_t> indices = sample_indices(p.n, seed);
  std::vector<double> worst(indices.size() * 2);
  pool.run([&](int thread) {
    std::vector<double> sums(p.n), sizes(p.n);
    for (auto task = static_cast<std::size_t>(thread); task < worst.size();
         task += static_cast<std::size_t>(pool.size())) {
      const std::size_t index = indices[task / 2];
      worst[task] = task % 2 ? worst_in_column(p, index, sums) : worst_in_row(p, index, sums, sizes);
    }
  });
  return *std::max_element(worst.begin(), worst.end());
}

template <class Input, class Sum>
double worst_checksum(ThreadPool& pool, const Product<Input, Sum>& p, std::uint64_t seed) {
  std::vector<double> signs(p.n), bx(p.n), b_squares(p.n), ratios(p.n);
  for (std::size_t j = 0; j < p.n; ++j) signs[j] = random_bits(seed ^ 0xc3c3, j) & 1 ? 1 : -1;
  const auto each_row = [&](auto&& body) {
    pool.run([&](int thread) {
      const Share share = share_of(p.n, thread, pool.size(), 1);
      for (std::size_t i = share.begin; i < share.end; ++i) body(i);
    });
  };
  each_row([&](std::size_t k) {
    double sum = 0, squares = 0;
    for (std::size_t j = 0; j < p.n; ++j) {
      const double x = widened(p.b[k * p.ld + j]);
      sum += x * signs[j];
      squares += x * x;
    }
    bx[k] = sum;
    b_squares[k] = squares;
  });
  each_row([&](std::size_t i) {
    double expected = 0, variance = 0, actual = 0;
    for (std::size_t k = 0; k < p.n; ++k) {
      const double x = widened(p.a[i * p.ld + k]);
      expected += x * bx[k];
      variance += x * x * b_squares[k];
    }
    for (std::size_t j = 0; j < p.n; ++j) actual += p.c[i * p.ld + j] * signs[j];
    // Each of n additions rounds by at most u times a partial sum whose mean square is below the final one (and uniform
    // in that interval: a third of the square). The reference is a float64 sum with roundings of the same kind.
    const double deviation = (p.roundoff + kReferenceRoundoff) * std::sqrt(static_cast<double>(p.n) / 3 * variance);
    ratios[i] = error_ratio(actual - expected, kSigmas * deviation);
  });
  return *std::max_element(ratios.begin(), ratios.end());
}

}  // namespace

JsonObject GemmVerdict::details() const {
  JsonObject d;
  d.text("reference", "float64");
  d.integer("sampled_rows", static_cast<std::int64_t>(sampled_rows))
      .integer("sampled_columns", static_cast<std::int64_t>(sampled_rows));
  d.number("worst_error_over_bound", worst_sampled_ratio).number("worst_checksum_over_bound", worst_checksum_ratio);
  if (wrong_conversions) d.integer("wrong_conversions", static_cast<std::int64_t>(*wrong_conversions));
  return d;
}

template <class Input, class Sum>
GemmVerdict verify_product(ThreadPool& pool, const Product<Input, Sum>& product, std::uint64_t seed) {
  GemmVerdict verdict;
  verdict.sampled_rows = sample_indices(product.n, seed).size();
  verdict.worst_sampled_ratio = worst_sampled(pool, product, seed);
  verdict.worst_checksum_ratio = worst_checksum(pool, product, seed);
  verdict.right = verdict.worst_sampled_ratio <= 1 && verdict.worst_checksum_ratio <= 1;
  return verdict;
}

template <class Output>
std::size_t count_wrong_conversions(ThreadPool& pool, const float* sums, const Output* out, std::size_t n,
                                    std::size_t ld) {
  std::vector<std::size_t> wrong(n);
  pool.run([&](int thread) {
    const Share share = share_of(n, thread, pool.size(), 1);
    for (std::size_t i = share.begin; i < share.end; ++i) {
      for (std::size_t j = i * ld; j < i * ld + n; ++j) {
        const bool flushed =
            std::is_same_v<Output, Bf16> && std::fabs(sums[j]) < 0x1p-126f && (out[j].bits & 0x7fff) == 0;
        wrong[i] += out[j].bits != narrowed<Output>(sums[j]).bits && !flushed;
      }
    }
  });
  return std::accumulate(wrong.begin(), wrong.end(), std::size_t{0});
}

template <class T>
std::uint64_t hash_matrix(ThreadPool& pool, const T* c, std::size_t n, std::size_t ld) {
  std::vector<std::uint64_t> hashes(n);
  pool.run([&](int thread) {
    const Share share = share_of(n, thread, pool.size(), 1);
    for (std::size_t i = share.begin; i < share.end; ++i) {
      std::uint64_t hash = i + 1;
      const T* row = c + i * ld;
      for (std::size_t j = 0; j < n; ++j) {
        std::uint64_t word = 0;
        std::memcpy(&word, row + j, sizeof(T));
        hash = (hash ^ word) * 0x100000001b3ull;
      }
      hashes[i] = random_bits(hash, i);
    }
  });
  std::uint64_t total = 0;
  for (const std::uint64_t hash : hashes) total += hash;
  return total;
}

template GemmVerdict verify_product<float>(ThreadPool&, const Product<float>&, std::uint64_t);
template GemmVerdict verify_product<double>(ThreadPool&, const Product<double>&, std::uint64_t);
template GemmVerdict verify_product<Bf16, float>(ThreadPool&, const Product<Bf16, float>&, std::uint64_t);
template GemmVerdict verify_product<Half, float>(ThreadPool&, const Product<Half, float>&, std::uint64_t);
template std::size_t count_wrong_conversions<Bf16>(ThreadPool&, const float*, const Bf16*, std::size_t, std::size_t);
template std::size_t count_wrong_conversions<Half>(ThreadPool&, const float*, const Half*, std::size_t, std::size_t);
template std::uint64_t hash_matrix<float>(ThreadPool&, const float*, std::size_t, std::size_t);
template std::uint64_t hash_matrix<double>(ThreadPool&, const double*, std::size_t, std::size_t);
template std::uint64_t hash_matrix<Bf16>(ThreadPool&, const Bf16*, std::size_t, std::size_t);
template std::uint64_t hash_matrix<Half>(ThreadPool&, const Half*, std::size_t, std::size_t);

}  // namespace gpumark
