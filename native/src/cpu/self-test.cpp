#include "cpu/self-test.h"

#include "cpu/fma-check.h"
#include "cpu/gemm-plan.h"
#include "cpu/gemm-verify.h"
#include "cpu/host-memory.h"
#include "measure/fault.h"

namespace gpumark {
namespace {

template <class T>
bool gemm_is_right(CpuContext& cpu, const GemmKernel& kernel) {
  // Three panels deep and more than one block each way, so that accumulation and every loop border run.
  const std::size_t n = round_to_tile(kernel, 300);
  const GemmBlocking g = plan_blocking(cpu.topology, cpu.pool.size(), kernel, n, n / 3 + 1, sizeof(T));
  HostMemory a(n * g.ld * sizeof(T)), b(n * g.ld * sizeof(T)), c(n * g.ld * sizeof(T)), workspace(gemm_workspace_elements(g) * sizeof(T));
  if (!a || !b || !c || !workspace) return false;
  for (std::size_t i = 0; i < n * g.ld; ++i) {
    a.as<T>()[i] = static_cast<T>(random_normal(cpu.options.seed, i));
    b.as<T>()[i] = static_cast<T>(random_normal(cpu.options.seed + 1, i));
    c.as<T>()[i] = static_cast<T>(NAN);
  }
  multiply<T>(cpu.pool, g, a.as<T>(), b.as<T>(), c.as<T>(), workspace.as<T>());
  spoil_output(sizeof(T) == 4 ? "gemm_fp32" : "gemm_fp64", c.as<T>(), n * g.ld / 2 * sizeof(T));
  return verify_product<T>(cpu.pool, {n, g.ld, a.as<T>(), b.as<T>(), c.as<T>(), g.kc}, cpu.options.seed).right;
}

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
    for (const GemmKernel* k = set.gemm_fp32; k->name; ++k) expect(gemm_is_right<float>(cpu, *k), std::string("gemm_fp32 ") + k->name);
    for (const GemmKernel* k = set.gemm_fp64; k->name; ++k) expect(gemm_is_right<double>(cpu, *k), std::string("gemm_fp64 ") + k->name);
    expect(streams_are_right(set.stream, cpu.options.seed), "stream " + isa);
  }
  return wrong;
}

}  // namespace gpumark
