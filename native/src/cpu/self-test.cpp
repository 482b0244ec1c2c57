#include "cpu/fma-check.h"
#include "cpu/gemm-candidates.h"
#include "cpu/gemm-proof.h"
#include "cpu/host-memory.h"
#include "measure/fault.h"

namespace gpumark {
namespace {

bool streams_are_right(const StreamKernels& k, std::uint64_t seed) {
  constexpr std::size_t n = 8192;
  HostMemory memory(3 * n * sizeof(double));
  if (!memory) return false;
  double* a = memory.as<double>();
  double* b = a + n;
  double* c = b + n;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = random_dyadic(seed, i);
    c[i] = random_dyadic(seed + 1, i);
    sum += b[i];
  }
  bool right = k.read(b, n) == sum;
  for (const auto triad : {k.triad, k.triad_nt}) {
    for (std::size_t i = 0; i < n; ++i) a[i] = NAN;
    triad(a, b, c, 3, n);
    for (std::size_t i = 0; i < n; ++i) right = right && a[i] == b[i] + 3 * c[i];
  }
  for (const auto copy : {k.copy, k.copy_nt}) {
    for (std::size_t i = 0; i < n; ++i) a[i] = NAN;
    copy(a, c, n);
    for (std::size_t i = 0; i < n; ++i) right = right && a[i] == c[i];
  }
  return right;
}

template <class Types>
void expect_products(CpuContext& cpu, const char* benchmark, const std::vector<const GemmKernel*>& kernels,
                     std::vector<std::string>& wrong) {
  for (const GemmKernel* kernel : kernels) {
    if (!why_kernel_is_wrong<Types>(cpu, *kernel, benchmark).empty())
      wrong.push_back(std::string(benchmark) + " " + kernel->name);
  }
}

}  // namespace

std::vector<std::string> self_test_cpu(CpuContext& cpu) {
  std::vector<std::string> wrong;
  const auto expect = [&](bool right, const std::string& name) {
    if (!right) wrong.push_back(name);
  };
  for (const KernelSet* const* next = usable_kernels(cpu.features); *next; ++next) {
    const KernelSet& set = **next;
    const std::string isa = set.isa;
    const auto spoil = [](auto& out) { spoil_output("fma", out.data(), out.size() * sizeof(out[0])); };
    expect(fma_kernel_is_right<float>(set.fma_fp32, cpu.options.seed, 41, spoil), "fma_fp32 " + isa);
    expect(fma_kernel_is_right<double>(set.fma_fp64, cpu.options.seed, 41, spoil), "fma_fp64 " + isa);
    expect_products<Fp32Product>(cpu, "gemm_fp32", kernels_of(set.gemm_fp32), wrong);
    expect_products<Fp64Product>(cpu, "gemm_fp64", kernels_of(set.gemm_fp64), wrong);
    expect(streams_are_right(set.stream, cpu.options.seed), "stream " + isa);
  }
  expect_products<Bf16Product>(cpu, "gemm_bf16", candidates_16bit<Bf16>(cpu.features), wrong);
  expect_products<Fp16Product>(cpu, "gemm_fp16", candidates_16bit<Half>(cpu.features), wrong);
  expect_products<Bf16Product>(cpu, "gemm_bf16", portable_stand_ins<Bf16>(), wrong);
  expect_products<Fp16Product>(cpu, "gemm_fp16", portable_stand_ins<Half>(), wrong);
  return wrong;
}

}  // namespace gpumark
