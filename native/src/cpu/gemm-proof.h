// A kernel is verified before it is timed: it may never have run on this CPU model.
#pragma once
#include <string>

#include "cpu/gemm-plan.h"
#include "cpu/gemm-run.h"

namespace gpumark {

/**
 * A small product of random data against float64, twice: three panels deep and more than one block in each dimension,
 * so that accumulation and every loop edge are exercised. @returns "" if right, else what was wrong. `fault` names the
 * output that the fault-injecting build may spoil.
 */
template <class Types>
std::string why_kernel_is_wrong(CpuContext& cpu, const GemmKernel& kernel, const char* fault) {
  const std::size_t n = round_to_tile(kernel, 300);
  GemmRun<Types> run(
      cpu, plan_blocking(cpu.topology, cpu.pool.size(), kernel, n, n / 3 + 1, sizeof(typename Types::Input)), true);
  if (!run) return "the system refused the memory for a small product to prove it with";
  run.hashed_slice();
  run.hashed_slice();
  const GemmVerdict verdict = run.verify(fault);
  if (!verdict.right) return "its small product differs from the float64 reference by more than the error bound";
  return run.repeats() ? "" : "its small product gave different bits when repeated";
}

}  // namespace gpumark
