#include "numerics/check-product.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "block-scales.h"
#include "numerics/bounds.h"
#include "numerics/guarded-array.h"
#include "numerics/scaled-array.h"

namespace gpumark::numerics {
namespace {

double read_number(NumberFormat format, const void* array, std::size_t index) {
  switch (bytes_of(format)) {
    case 8: return static_cast<const double*>(array)[index];
    case 4: return static_cast<const float*>(array)[index];
    case 2: return decode_number(format, static_cast<const std::uint16_t*>(array)[index]);
    default: return decode_number(format, static_cast<const std::uint8_t*>(array)[index]);
  }
}

void write_number(NumberFormat format, void* array, std::size_t index, double value) {
  switch (bytes_of(format)) {
    case 8: static_cast<double*>(array)[index] = value; break;
    case 4: static_cast<float*>(array)[index] = static_cast<float>(value); break;
    case 2:
      static_cast<std::uint16_t*>(array)[index] =
          static_cast<std::uint16_t>(encode_number(format, static_cast<float>(value)));
      break;
    default:
      static_cast<std::uint8_t*>(array)[index] =
          static_cast<std::uint8_t>(encode_number(format, static_cast<float>(value)));
      break;
  }
}

/** Fills the array. @returns the values of its numbers */
std::vector<double> fill_random(NumberFormat format, void* array, std::size_t count, std::uint64_t seed) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    write_number(format, array, i, random_normal(seed, i));
    values[i] = read_number(format, array, i);
  }
  return values;
}

std::string describe(std::size_t i, std::size_t j, double got, double expected, double bound) {
  char text[160];
  std::snprintf(text, sizeof text, "C[%zu][%zu] is %.9g, should be %.9g within %.3g", i, j, got, expected, bound);
  return text;
}

Outcome compare(const TypeFacts& type, const Shape& shape, const void* c, const std::vector<double>& a,
                const std::vector<double>& b) {
  Outcome outcome = {0, ""};
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < shape.m; ++i) {
    for (std::size_t j = 0; j < shape.n; ++j) {
      double value = 0, magnitudes = 0;
      for (std::size_t l = 0; l < shape.k; ++l) {
        const double product = a[i * shape.k + l] * b[j * shape.k + l];
        value += product;
        magnitudes += std::fabs(product);
      }
      const double got = read_number(type.output, c, i * shape.n + j),
                   bound = bound_of(type, shape.k, magnitudes, value);
      const double ratio =
          std::isfinite(got) ? std::fabs(got - value) / bound : std::numeric_limits<double>::infinity();
      if (ratio > 1 && wrong++ == 0) outcome.problem = describe(i, j, got, value, bound);
      outcome.worst = std::fmax(outcome.worst, ratio);
    }
  }
  if (wrong)
    outcome.problem +=
        "; " + std::to_string(wrong) + " of " + std::to_string(std::size_t{shape.m} * shape.n) + " are wrong";
  return outcome;
}

}  // namespace

Outcome check_product(const Row& row, const Shape& shape, std::uint64_t seed) {
  const TypeFacts* type = find_type(row.type);
  // gfx942 has its own variant of e4m3; all other fp8 kernels use the OCP format.
  const TypeFacts* fnuz = std::strstr(row.kernel, "fp8fnuz") ? find_type("fp8fnuz") : nullptr;
  if (fnuz) type = fnuz;
  // AMD's kernels take the scales row by row.
  const TypeFacts* in_rows =
      std::strcmp(row.family, "mfma") == 0 ? find_type((std::string(row.type) + "_rows").c_str()) : nullptr;
  if (in_rows) type = in_rows;
  if (!type) return {0, std::string("no bound is known for the type ") + row.type};
  const std::size_t of_a = std::size_t{shape.m} * shape.k, of_b = std::size_t{shape.n} * shape.k,
                    of_c = std::size_t{shape.m} * shape.n;
  const bool scaled = is_block_scaled(type->input);
  GuardedArray a(scaled ? scaled_bytes(type->input, shape.m, shape.k) : of_a * bytes_of(type->input));
  GuardedArray b(scaled ? scaled_bytes(type->input, shape.n, shape.k) : of_b * bytes_of(type->input)),
      c(of_c * bytes_of(type->output));
  const auto fill = [&](const GuardedArray& array, std::size_t rows, std::size_t count, std::uint64_t from) {
    return scaled ? fill_scaled(type->input, static_cast<std::uint8_t*>(array.data()), rows, shape.k, from)
                  : fill_random(type->input, array.data(), count, from);
  };
  const std::vector<double> left = fill(a, shape.m, of_a, seed), right = fill(b, shape.n, of_b, seed + 1);
  const std::string problem =
      run_product(row, {shape.m, shape.n, shape.k, c.data(), a.data(), b.data(), type->input, type->output});
  if (!problem.empty()) return {0, problem};
  if (!a.front_is_whole() || !b.front_is_whole() || !c.front_is_whole())
    return {0, "memory before an array was written"};
  return compare(*type, shape, c.data(), left, right);
}

}  // namespace gpumark::numerics
