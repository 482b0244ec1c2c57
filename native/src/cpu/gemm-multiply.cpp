#include "cpu/gemm-multiply.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "cpu/gemm-pack.h"

namespace gpumark {
namespace {

std::vector<GemmStep> steps_of(const GemmBlocking& g) {
  std::vector<GemmStep> steps;
  for (std::size_t column = 0; column < g.n; column += g.nc) {
    for (std::size_t k = 0; k < g.n; k += g.kc) {
      steps.push_back({column, std::min(g.nc, g.n - column), k, std::min(g.kc, g.n - k)});
    }
  }
  return steps;
}

/** Rows and columns of C that one task computes; columns are relative to the step's. */
struct Block {
  std::size_t row_begin, row_end, column_begin, column_end;
};

Block block_of(const GemmBlocking& g, const GemmStep& s, std::size_t task) {
  const std::size_t column_tasks = (s.columns + g.task_columns - 1) / g.task_columns;
  const std::size_t row = task / column_tasks * g.mc;
  const std::size_t column = task % column_tasks * g.task_columns;
  return {row, std::min(row + g.mc, g.n), column, std::min(column + g.task_columns, s.columns)};
}

/**
 * One task: mc rows of A against task_columns columns of B. A panel of B stays in L1 while the rows of A stream from
 * L2.
 */
template <class Input, class Sum>
void multiply_block(const GemmBlocking& g, const GemmStep& s, const Block& block, const Input* packed_a,
                    const Input* packed_b, Sum* c) {
  const auto mr = static_cast<std::size_t>(g.kernel->mr);
  const auto nr = static_cast<std::size_t>(g.kernel->nr);
  const std::size_t steps = s.depth / static_cast<std::size_t>(g.kernel->a_group);
  for (std::size_t column = block.column_begin; column < block.column_end; column += nr) {
    const Input* panel = packed_b + column * s.depth;
    for (std::size_t row = block.row_begin; row < block.row_end; row += mr) {
      // The next panel of b is fetched during the last tile of this one; before that the prefetch re-reads what is in
      // L1 anyway.
      const Input* next = row + mr >= block.row_end && column + nr < block.column_end ? panel + nr * s.depth : panel;
      g.kernel->tile(steps, packed_a + row * s.depth, panel, c + row * g.ld + s.column + column, g.ld, s.k != 0, next);
    }
  }
}

/** Converts the finished sums of one task to the 16-bit output while they are still in cache. */
void convert_block(const GemmBlocking& g, const GemmStep& s, const Block& block, const float* sums,
                   std::uint16_t* out) {
  for (std::size_t row = block.row_begin; row < block.row_end; ++row) {
    const std::size_t at = row * g.ld + s.column + block.column_begin;
    g.kernel->convert(sums + at, out + at, block.column_end - block.column_begin);
  }
}

std::size_t packed_a_elements(const GemmBlocking& g) { return (g.n * g.kc + 1023) / 1024 * 1024; }
std::size_t packed_b_elements(const GemmBlocking& g) { return (g.nc * g.kc + 1023) / 1024 * 1024; }

}  // namespace

std::size_t gemm_workspace_elements(const GemmBlocking& g) {
  return 2 * (packed_a_elements(g) + packed_b_elements(g)) + 1024;
}

template <class Input, class Sum>
double multiply(ThreadPool& pool, const GemmBlocking& g, const GemmOperands<Input, Sum>& m) {
  const std::vector<GemmStep> steps = steps_of(g);
  // Tasks are taken from a counter, not dealt out: a core that is slower or disturbed takes fewer. The order of
  // additions into one element of C never changes, so results repeat bit for bit.
  std::vector<std::atomic<std::size_t>> next(steps.size());
  for (auto& counter : next) counter = 0;
  return pool.run_timed([&](int thread) {
    if (g.kernel->begin) g.kernel->begin();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const GemmStep& s = steps[i];
      // Two sets of buffers: packing step i + 1 cannot disturb a worker still busy with step i, so one barrier per step
      // is enough.
      Input* packed_a = m.workspace + (i % 2) * (packed_a_elements(g) + packed_b_elements(g));
      Input* packed_b = packed_a + packed_a_elements(g);
      pack_a(g, s, m.a, packed_a, thread, pool.size());
      pack_b(g, s, m.b, packed_b, thread, pool.size());
      pool.barrier().wait();
      const std::size_t tasks = (g.n + g.mc - 1) / g.mc * ((s.columns + g.task_columns - 1) / g.task_columns);
      for (std::size_t task; (task = next[i].fetch_add(1, std::memory_order_relaxed)) < tasks;) {
        const Block block = block_of(g, s, task);
        multiply_block(g, s, block, packed_a, packed_b, m.sums);
        if constexpr (sizeof(Input) == 2) {
          if (m.converted && s.k + s.depth == g.n) convert_block(g, s, block, m.sums, m.converted);
        }
      }
    }
    if (g.kernel->end) g.kernel->end();
  });
}

template double multiply<float, float>(ThreadPool&, const GemmBlocking&, const GemmOperands<float, float>&);
template double multiply<double, double>(ThreadPool&, const GemmBlocking&, const GemmOperands<double, double>&);
template double multiply<Bf16, float>(ThreadPool&, const GemmBlocking&, const GemmOperands<Bf16, float>&);
template double multiply<Half, float>(ThreadPool&, const GemmBlocking&, const GemmOperands<Half, float>&);

}  // namespace gpumark
