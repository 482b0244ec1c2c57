// The vendor engine alone, for test/native/sweeps/vendor-*.test.ts: runs every candidate for one product and compares
// it, a JSON line each.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gpu/gemm/gemm-engine.h"
#include "gpu/gpu-memory.h"
#include "gpu/vendor.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

enum class Bits { fp8, fp8_fnuz, fp16, bf16, fp32, fp64 };

struct Kinds {
  Bits input, output;
};

Kinds kinds_of(GemmType type, bool nvidia, const std::string& architecture) {
  switch (type) {
    case GemmType::fp64: return {Bits::fp64, Bits::fp64};
    case GemmType::fp16: return {Bits::fp16, Bits::fp16};
    case GemmType::bf16: return {Bits::bf16, Bits::bf16};
    case GemmType::mixed: return {Bits::fp16, Bits::fp32};
    case GemmType::fp8: return {!nvidia && architecture == "gfx942" ? Bits::fp8_fnuz : Bits::fp8, Bits::bf16};
    case GemmType::fp32:
    case GemmType::fp32_matrix:
    case GemmType::tf32: break;
    // Their inputs are more than numbers: test/native/sweeps/gpu-block-scaled.test.ts.
    case GemmType::nvfp4:
    case GemmType::mxfp4:
    case GemmType::mxfp8: break;
  }
  return {Bits::fp32, Bits::fp32};
}

struct Narrow {
  int mantissa, bias;
  std::size_t bytes;
};
Narrow narrow(Bits bits) {
  if (bits == Bits::fp16) return {10, 15, 2};
  if (bits == Bits::bf16) return {7, 127, 2};
  return {3, bits == Bits::fp8 ? 7 : 8, 1};
}

std::size_t size_of(Bits bits) { return bits == Bits::fp64 ? 8 : bits == Bits::fp32 ? 4 : narrow(bits).bytes; }

/** For values that the type holds exactly and that are not subnormal in it. */
void put(Bits bits, std::vector<unsigned char>& memory, std::size_t index, float value) {
  unsigned char* at = &memory[index * size_of(bits)];
  const double wide = value;
  if (bits == Bits::fp64) return void(std::memcpy(at, &wide, 8));
  if (bits == Bits::fp32) return void(std::memcpy(at, &value, 4));
  std::uint32_t word = 0;
  std::memcpy(&word, &value, 4);
  const Narrow n = narrow(bits);
  const std::uint32_t sign = word >> 31 << (8 * n.bytes - 1);
  const std::uint32_t magnitude =
      (word & 0x7fffffff) == 0
          ? 0
          : ((word & 0x7fffffff) >> (23 - n.mantissa)) - (static_cast<std::uint32_t>(127 - n.bias) << n.mantissa);
  const std::uint32_t all = sign | magnitude;
  std::memcpy(at, &all, n.bytes);
}

double get(Bits bits, const std::vector<unsigned char>& memory, std::size_t index) {
  const unsigned char* at = &memory[index * size_of(bits)];
  double wide = 0;
  float single = 0;
  if (bits == Bits::fp64) return std::memcpy(&wide, at, 8), wide;
  if (bits == Bits::fp32) return std::memcpy(&single, at, 4), single;
  std::uint16_t word = 0;
  std::memcpy(&word, at, 2);
  const Narrow n = narrow(bits);
  const int exponent = (word & 0x7fff) >> n.mantissa;
  const double fraction = word & ((1 << n.mantissa) - 1);
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - n.bias - n.mantissa)
                                         : std::ldexp(fraction + (1 << n.mantissa), exponent - n.bias - n.mantissa);
  return word & 0x8000 ? -magnitude : magnitude;
}

/**
 * Multiples of 1/4 up to 2: exact in every type, their products in fp32 too. Zero has no negative, which is NaN in
 * FNUZ.
 */
float value_at(std::uint64_t seed, std::size_t index) {
  std::uint64_t word = (index + 1) * 0x9e3779b97f4a7c15u + seed * 0xbf58476d1ce4e5b9u;
  word = (word ^ word >> 31) * 0x94d049bb133111ebu;
  return static_cast<float>(static_cast<int>((word >> 40) % 17) - 8) / 4;
}

class Product {
 public:
  Product(GpuContext& gpu, Kinds kinds, const GemmShape& shape)
      : gpu_(gpu),
        kinds_(kinds),
        shape_(shape),
        a_(gpu, std::size_t{shape.m} * shape.k * size_of(kinds.input)),
        b_(gpu, std::size_t{shape.n} * shape.k * size_of(kinds.input)),
        c_(gpu, c_bytes() + kGuard) {
    fill(a_, 1, std::size_t{shape.m} * shape.k);
    fill(b_, 2, std::size_t{shape.n} * shape.k);
  }
  GemmOperands operands() const { return {a_.address(), b_.address(), c_.address()}; }
  void poison() const { c_.poison(); }

  /**
   * Against C[i][j] = sum of A[i][l] * B[j][l]; sums are exact but for the output's rounding. Nothing behind C may have
   * changed.
   */
  bool is_right() const {
    const std::vector<unsigned char> c = c_.read<unsigned char>(c_bytes() + kGuard);
    for (std::size_t i = c_bytes(); i < c.size(); ++i) {
      if (c[i] != 0xff) return false;
    }
    const double rounding = kinds_.output == Bits::bf16   ? std::ldexp(1, -8)
                            : kinds_.output == Bits::fp16 ? std::ldexp(1, -11)
                                                          : 0;
    for (std::size_t i = 0; i < shape_.m; ++i) {
      for (std::size_t j = 0; j < shape_.n; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < shape_.k; ++l)
          sum +=
              static_cast<double>(value_at(1, i * shape_.k + l)) * static_cast<double>(value_at(2, j * shape_.k + l));
        const double error = std::fabs(get(kinds_.output, c, i * shape_.n + j) - sum);
        if (!(error <= rounding * std::fabs(sum))) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kGuard = 4096;
  std::size_t c_bytes() const { return std::size_t{shape_.m} * shape_.n * size_of(kinds_.output); }
  void fill(const GpuMemory& memory, std::uint64_t seed, std::size_t count) const {
    std::vector<unsigned char> host(memory.bytes());
    for (std::size_t i = 0; i < count; ++i) put(kinds_.input, host, i, value_at(seed, i));
    gpu_.check(gpu_.call().copy_to_device(memory.address(), host.data(), host.size(), gpu_.stream()),
               "copying to the device");
    gpu_.wait();
  }

  GpuContext& gpu_;
  Kinds kinds_;
  GemmShape shape_;
  GpuMemory a_, b_, c_;
};

GemmType type_of(const std::string& name) {
  for (const GemmType type : {GemmType::fp32, GemmType::fp64, GemmType::tf32, GemmType::fp16, GemmType::bf16,
                              GemmType::mixed, GemmType::fp8}) {
    if (name == spec_of(type).name) return type;
  }
  std::fprintf(stderr, "no type %s\n", name.c_str());
  std::exit(2);
}

void report(GpuContext& gpu, GemmEngine& engine, const std::string& name, const GemmShape& shape) {
  const GemmType type = type_of(name);
  const GemmCandidates candidates = engine.candidates(type, shape);
  if (candidates.empty())
    std::printf("%s\n", JsonObject().text("type", name).text("reason", engine.reason()).str().c_str());
  const Product product(gpu, kinds_of(type, gpu.driver().vendor().has_compute_capability, gpu.device().architecture),
                        shape);
  for (const auto& candidate : candidates) {
    JsonObject line, details;
    product.poison();
    const double seconds = gpu.timed([&] { candidate->enqueue(product.operands()); });
    candidate->add_details(details);
    line.text("type", name)
        .text("engine", engine.name())
        .text("path", candidate->path())
        .text("algorithm", candidate->algorithm());
    line.boolean("right", product.is_right()).number("seconds", seconds).object("details", details);
    std::printf("%s\n", line.str().c_str());
  }
}

}  // namespace

int report_vendor_engine(int argc, char** argv) {
  if (argc < 6) return std::fprintf(stderr, "usage: vendor nvidia|amd m n k type...\n"), 2;
  const GpuDriver& driver = driver_of(*find_vendor(std::string(argv[1]) == "nvidia" ? "cuda" : "rocm"));
  if (driver.status() != "ok") return std::fprintf(stderr, "%s\n", driver.detail().c_str()), 3;
  const auto size = [&](int i) { return static_cast<unsigned>(std::strtoul(argv[i], nullptr, 10)); };
  try {
    GpuContext gpu(driver, identify_all(driver, "/sys").front());
    const auto engine = make_vendor_engine(gpu);
    for (int i = 5; i < argc; ++i) report(gpu, *engine, argv[i], {size(2), size(3), size(4)});
  } catch (const GpuError& error) {
    std::printf(
        "%s\n",
        JsonObject().text("error", error.what()).integer("code", error.code).text("name", error.name).str().c_str());
  }
  return 0;
}
