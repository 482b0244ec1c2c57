// Matrix products of 16-bit inputs: conversions, stand-ins in every layout, and kernels that are wrong on purpose.
#include <cmath>
#include <string>

#include "cpu/gemm-candidates.h"
#include "cpu/gemm-choice.h"
#include "small-products.h"
#include "unit-tests.h"

using namespace gpumark;

namespace {

/** That no neighbour of narrowed(x) is nearer, and that of two equally near ones the even one was taken. */
template <class T>
bool is_nearest(float x) {
  const T taken = narrowed<T>(x);
  const double distance = std::fabs(widened(taken) - x);
  for (const int step : {-1, 1}) {
    const T other{static_cast<std::uint16_t>(taken.bits + step)};
    // Zero has no neighbour below it in this numbering, and beyond infinity there is none.
    if ((other.bits & 0x7fff) == 0x7fff || std::isnan(widened(other)) || (taken.bits & 0x7fff) == 0) continue;
    const double other_distance = std::fabs(widened(other) - x);
    if (other_distance < distance || (other_distance == distance && (taken.bits & 1))) return false;
  }
  return true;
}

template <class T>
void conversions(int fraction_bits, const char* what) {
  bool nearest = true;
  for (std::uint64_t i = 0; i < 20000; ++i)
    nearest = nearest && is_nearest<T>(static_cast<float>(300 * random_normal(5, i)));
  // Halfway between two neighbours, above an even and above an odd one, of both signs.
  for (int i = 0; i < 1 << fraction_bits; ++i) {
    const float halfway = std::ldexp(static_cast<float>((1 << fraction_bits) + i) + 0.5f, -fraction_bits);
    nearest = nearest && is_nearest<T>(halfway) && is_nearest<T>(-halfway);
    nearest = nearest && is_nearest<T>(std::nextafter(halfway, 4.0f)) && is_nearest<T>(std::nextafter(halfway, 0.0f));
  }
  bool round_trip = true;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const T value{static_cast<std::uint16_t>(bits)};
    const double wide = widened(value);
    round_trip =
        round_trip && (std::isnan(wide) ? std::isnan(widened(narrowed<T>(wide))) : narrowed<T>(wide).bits == bits);
  }
  check(nearest, what);
  check(round_trip, "every 16-bit number that is widened narrows to itself");
}

template <void (*Tile)(std::size_t, const void*, const void*, void*, std::size_t, int, const void*)>
void one_sum_wrong(std::size_t steps, const void* a, const void* b, void* c, std::size_t ldc, int accumulate,
                   const void* next) {
  Tile(steps, a, b, c, ldc, accumulate, next);
  if (!accumulate) static_cast<float*>(c)[ldc + 1] *= 1.001f;
}

/** The real tile of the first stand-in; the table is only known at run time. */
decltype(GemmKernel::tile) honest_tile = nullptr;
void honest(std::size_t steps, const void* a, const void* b, void* c, std::size_t ldc, int accumulate,
            const void* next) {
  honest_tile(steps, a, b, c, ldc, accumulate, next);
}
void skips_accumulation(std::size_t steps, const void* a, const void* b, void* c, std::size_t ldc, int,
                        const void* next) {
  honest_tile(steps, a, b, c, ldc, 0, next);
}
void skips_a_step(std::size_t steps, const void* a, const void* b, void* c, std::size_t ldc, int accumulate,
                  const void* next) {
  honest_tile(steps - 1, a, b, c, ldc, accumulate, next);
}
void writes_nothing(std::size_t, const void*, const void*, void*, std::size_t, int, const void*) {}
void truncates(const float* sums, std::uint16_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, sums + i, sizeof bits);
    out[i] = static_cast<std::uint16_t>(bits >> 16);
  }
}
int calls = 0;
void differs_between_calls(const float* sums, std::uint16_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = bf16_of(sums[i]).bits;
  if (++calls % 2) out[0] ^= 1;
}

void wrong_kernels(SmallProducts& products) {
  const GemmKernel good = *portable_stand_ins<Bf16>()[0];
  honest_tile = good.tile;
  check(why_kernel_is_wrong<Bf16Product>(products.context(), good, "").empty(), "a correct kernel passes its check");
  const auto refused = [&](auto change, const char* what) {
    GemmKernel bad = good;
    change(bad);
    check(!why_kernel_is_wrong<Bf16Product>(products.context(), bad, "").empty(), what);
  };
  refused([](GemmKernel& k) { k.tile = one_sum_wrong<honest>; }, "a kernel with sums wrong by a thousandth is refused");
  refused([](GemmKernel& k) { k.tile = skips_accumulation; }, "a kernel that keeps the last panel only is refused");
  refused([](GemmKernel& k) { k.tile = skips_a_step; }, "a kernel that leaves out two ks is refused");
  refused([](GemmKernel& k) { k.tile = writes_nothing; }, "a kernel that writes nothing is refused");
  refused([](GemmKernel& k) { k.convert = truncates; },
          "a kernel that cuts its sums to bf16 instead of rounding is refused");
  refused([](GemmKernel& k) { k.convert = differs_between_calls; },
          "a kernel with one bit wrong in one output element is refused");
  refused([](GemmKernel& k) { k.a_group = 4; }, "a kernel packed for in another order is refused");
  // The one that is refused is the first candidate and would be the fastest by far.
  GemmKernel idle = good;
  idle.tile = writes_nothing;
  const GemmChoice choice = choose_kernel<Bf16Product>(products.context(), {&idle, &good});
  check(choice.kernel == &good && choice.refused.size() == 1,
        "the next kernel is taken where one is refused, and the refusal is kept");
  check(choose_kernel<Bf16Product>(products.context(), {&idle}).kernel == nullptr,
        "no kernel is taken where all are refused");
}

void stand_ins(SmallProducts& products) {
  for (const GemmKernel* kernel : portable_stand_ins<Bf16>()) {
    for (const std::size_t n : {100, 201, 333}) check(products.right_size<Bf16Product>(*kernel, n) >= n, kernel->name);
    check(std::string(kernel->name).rfind("portable-", 0) == 0 && std::string(kernel->isa) == "portable",
          "a stand-in is named as one");
  }
  for (const GemmKernel* kernel : portable_stand_ins<Half>()) {
    for (const std::size_t n : {100, 201, 333}) {
      check(products.right_size<Fp16Product>(*kernel, n) >= n, kernel->name);
      check(products.right_size<MixedProduct>(*kernel, n) >= n, kernel->name);
    }
  }
  products.options().random_data = false;
  check(products.right_size<Bf16Product>(*portable_stand_ins<Bf16>()[0], 100) > 0, "a product of zeros is right");
  products.options().random_data = true;
}

void candidates() {
  // Every combination of what a processor may have: never a stand-in, and a sentence exactly where there is nothing.
  for (int bits = 0; bits < 64; ++bits) {
    CpuFeatures f;
    f.avx512f = f.avx512_bf16 = f.neon_bf16 = bits & 1;
    f.avx512_fp16 = bits & 2;
    f.amx_bf16 = bits & 4;
    f.amx_fp16 = f.neon_fhm = bits & 8;
    f.amx_refused = bits & 16;
    if (!(bits & 32)) f.avx512f = true;
    for (const auto& found : {candidates_16bit<Bf16>(f), candidates_16bit<Half>(f)}) {
      for (const GemmKernel* kernel : found)
        check(std::string(kernel->name).find("portable") == std::string::npos, "no stand-in is a candidate");
    }
    check(why_no_candidates<Bf16>(f).size() > 20 && why_no_candidates<Half>(f).size() > 20, "an absence is a sentence");
  }
  check(candidates_16bit<Bf16>(CpuFeatures{}).empty() && candidates_16bit<Half>(CpuFeatures{}).empty(),
        "without the instructions there is no kernel");
  CpuFeatures fp16_sums;
  fp16_sums.avx512f = fp16_sums.avx512_fp16 = fp16_sums.neon_fp16 = true;
  check(candidates_16bit<Half>(fp16_sums).empty(), "fp16 arithmetic with fp16 sums is not taken for the figure");
}

}  // namespace

void check_products() {
  SmallProducts products;
  conversions<Bf16>(7, "bf16 is the nearest number, ties to even");
  conversions<Half>(10, "fp16 is the nearest number, ties to even");
  stand_ins(products);
  wrong_kernels(products);
  candidates();
}
