#include "numerics/check-issue.h"

#include <cstdint>
#include <cstdio>
#include <vector>

#include "core/kernel-table.h"
#include "gemm-kernels.h"
#include "matrix/issue-expected.h"
#include "numerics/guarded-array.h"

namespace gpumark::numerics {
namespace {

struct Probe {
  const char* kernel;
  unsigned threads, shared_bytes;
  float (*expected)(unsigned long long rounds);
};

#define GPUMARK_PROBE(kernel, family, type, threads, shared, operations) \
  {#kernel, threads, shared, device::issue_expected_##family##_##type},
const std::vector<Probe> kProbes = {GPUMARK_ISSUE_KERNELS(GPUMARK_PROBE)};

/** @returns what is wrong, or an empty string */
std::string check_probe(const Probe& probe, std::uint64_t rounds) {
  constexpr unsigned kBlocks = 2;
  const sim::Kernel* kernel = sim::find_matrix_kernel(probe.kernel);
  if (!kernel) return "no such kernel in the simulator's table";
  const std::size_t count = std::size_t{kBlocks} * probe.threads;
  GuardedArray out(count * sizeof(float)), clocks(kBlocks * 2 * sizeof(device::u64));
  const device::IssueArgs args = {out.data(), rounds, static_cast<device::u64*>(clocks.data()), kBlocks};
  if (!kernel->run(&args, kBlocks, probe.shared_bytes)) return "its threads deadlock";
  for (std::size_t i = 0; i < count; ++i) {
    const float got = static_cast<const float*>(out.data())[i];
    if (got != probe.expected(rounds))
      return "out[" + std::to_string(i) + "] is " + std::to_string(got) + ", should be " +
             std::to_string(probe.expected(rounds));
  }
  for (unsigned i = 0; i < 2 * kBlocks; ++i) {
    if (args.clocks[i] == ~0ull) return "clocks[" + std::to_string(i) + "] was not written";
  }
  return out.front_is_whole() && clocks.front_is_whole() ? "" : "memory before an array was written";
}

}  // namespace

IssueCounts check_issue_probes(const std::string& only) {
  IssueCounts counts = {0, 0};
  for (const Probe& probe : kProbes) {
    if (!only.empty() && only != probe.kernel) continue;
    for (const std::uint64_t rounds : {1, 3, 16, 70}) {
      const std::string problem = check_probe(probe, rounds);
      std::printf("%s %s %llu rounds%s%s\n", problem.empty() ? "ok" : "FAILED", probe.kernel,
                  static_cast<unsigned long long>(rounds), problem.empty() ? "" : ": ", problem.c_str());
      ++counts.checked;
      counts.wrong += !problem.empty();
    }
  }
  return counts;
}

}  // namespace gpumark::numerics
