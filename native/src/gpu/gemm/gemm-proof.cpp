#include "gpu/gemm/gemm-proof.h"

#include <cmath>

#include "block-scales.h"
#include "gpu/gpu-check.h"
#include "random-words.h"

namespace gpumark {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr unsigned kElementsByHost = 64;
constexpr unsigned kVerifyTile = 64;

double number_of(NumberFormat format, const unsigned char* bytes) {
  switch (format) {
    case NumberFormat::fp64: return *reinterpret_cast<const double*>(bytes);
    case NumberFormat::fp32: return static_cast<double>(*reinterpret_cast<const float*>(bytes));
    case NumberFormat::fp16:
    case NumberFormat::bf16:
      return static_cast<double>(decode_number(format, *reinterpret_cast<const unsigned short*>(bytes)));
    default: return static_cast<double>(decode_number(format, *bytes));
  }
}

/** Element (row, column) of an input matrix of k columns, as the device should have generated it. */
double input_at(NumberFormat format, std::uint64_t seed, std::uint64_t row, unsigned column, unsigned k) {
  const std::uint64_t index = row * k + column;
  if (is_block_scaled(format)) {
    const unsigned bits = random_scaled_number(format, seed, index),
                   scale = random_scale(format, seed, scale_place(format, row, column / scaled_block(format), k));
    const double number =
        static_cast<double>(is_four_bits(format) ? decode_e2m1(bits) : decode_number(NumberFormat::e4m3, bits));
    return number * static_cast<double>(decode_scale(format, scale));
  }
  const double x = random_normal(seed, index);
  if (format == NumberFormat::fp64) return x;
  const auto narrow = static_cast<float>(x);
  return static_cast<double>(format == NumberFormat::fp32 ? narrow
                                                          : decode_number(format, encode_number(format, narrow)));
}

struct Found {
  std::uint64_t wrong = 0;
  double worst = 0;
};

Found compare_on_device(GpuRun& run, const GemmData& data, const GemmBound& bound) {
  const GpuMemory found(run.gpu, 256);
  found.clear();
  const GemmShape& s = data.shape();
  const GemmOperands o = data.operands(0);
  const NumberFormat in = input_format(data.type(), run.gpu.device()), out = output_format(data.type());
  const unsigned blocks = tiles_over(s.m, s.n, kVerifyTile, kVerifyTile);
  run.gpu.launch(
      in == NumberFormat::fp64 ? "gpumark_gemm_verify_fp64" : "gpumark_gemm_verify", blocks,
      device::GemmVerifyArgs{reinterpret_cast<const void*>(o.c), reinterpret_cast<const void*>(o.a),
                             reinterpret_cast<const void*>(o.b), s.m, s.n, s.k, static_cast<device::u32>(in),
                             static_cast<device::u32>(out), bound.absolute, bound.relative, found.as<device::u64>()});
  const std::vector<std::uint64_t> words = found.read<std::uint64_t>(2);
  return {words[0], static_cast<double>(float_of_bits(static_cast<unsigned>(words[1])))};
}

/** Compares elements across the whole matrix, including the corners, computed from inputs that the host generates. */
Found compare_on_host(GpuRun& run, const GemmData& data, const GemmBound& bound) {
  const GemmShape& s = data.shape();
  const NumberFormat in = input_format(data.type(), run.gpu.device()), out = output_format(data.type());
  Found found;
  for (unsigned i = 0; i < kElementsByHost; ++i) {
    const std::uint64_t row = i < 4 ? (i & 1) * (s.m - 1) : random_word(i, 1) % s.m,
                        column = i < 4 ? (i >> 1) * (s.n - 1) : random_word(i, 2) % s.n;
    double sum = 0;
    for (unsigned l = 0; run.options.random_data && l < s.k; ++l) {
      sum += input_at(in, run.options.seed, row, l, s.k) * input_at(in, run.options.seed + 1, column, l, s.k);
    }
    const std::vector<unsigned char> bytes =
        data.c(0).read<unsigned char>(bytes_of(out), (row * s.n + column) * bytes_of(out));
    const double ratio =
        std::fabs(number_of(out, bytes.data()) - sum) / (bound.absolute + bound.relative * std::fabs(sum));
    if (!(ratio <= 1)) ++found.wrong;
    found.worst = std::isnan(ratio) ? INFINITY : std::fmax(found.worst, ratio);
  }
  return found;
}

}  // namespace

GemmBound gemm_bound(GemmType type, unsigned k) {
  const double deviation = std::sqrt(static_cast<double>(k)), magnitudes = 2 * k / kPi;
  const double accumulated = 6 * std::ldexp(deviation * magnitudes, type == GemmType::fp64 ? -53 : -24);
  switch (type) {
    case GemmType::fp64: return {accumulated, std::ldexp(1, -52)};
    case GemmType::tf32: return {accumulated + 6 * std::ldexp(deviation, -10), std::ldexp(1, -9)};
    case GemmType::fp16: return {accumulated, std::ldexp(1, -10)};
    case GemmType::bf16: return {accumulated, std::ldexp(1, -7)};
    case GemmType::nvfp4:
    case GemmType::mxfp4:
    case GemmType::mxfp8: return {2 * accumulated + (k / 32.0) * std::ldexp(4 * deviation, -13), std::ldexp(1, -7)};
    case GemmType::fp8: return {accumulated + (k / 32.0) * std::ldexp(2 * deviation, -13), std::ldexp(1, -7)};
    default: return {accumulated, std::ldexp(1, -23)};
  }
}

GemmProof prove_product(GpuRun& run, GemmCandidate& candidate, const GemmData& data, const char* benchmark) {
  const GemmBound bound = gemm_bound(data.type(), data.shape().k);
  const GemmOperands operands = data.operands(0);
  data.c(0).poison();
  candidate.enqueue(operands);
  const std::uint64_t first = checksum(run.gpu, data.c(0));
  data.c(0).poison();
  candidate.enqueue(operands);
  run.gpu.wait();
  spoil_device_output(benchmark, run.gpu, data.c(0));
  GemmProof proof;
  proof.repeats = checksum(run.gpu, data.c(0)) == first;
  const Found device = compare_on_device(run, data, bound), host = compare_on_host(run, data, bound);
  proof.right = device.wrong == 0 && host.wrong == 0;
  if (!proof.right) {
    proof.what = std::to_string(device.wrong) + " elements of the product are off by more than the error bound (and " +
                 std::to_string(host.wrong) + " of " + std::to_string(kElementsByHost) + " that the host computed)";
  } else if (!proof.repeats) {
    proof.what = "the same multiplication gave different bits when repeated";
  }
  proof.details.text("method",
                     "every element against sums of 64 products added up in float64 on the ordinary lanes, 64 elements "
                     "by the host in float64");
  proof.details.number("bound_absolute", bound.absolute).number("bound_relative", bound.relative);
  proof.details.integer("elements_wrong", static_cast<std::int64_t>(device.wrong))
      .number("worst_error_over_bound", device.worst);
  proof.details.integer("elements_by_host", kElementsByHost)
      .integer("elements_by_host_wrong", static_cast<std::int64_t>(host.wrong))
      .number("worst_error_over_bound_by_host", host.worst);
  return proof;
}

}  // namespace gpumark
