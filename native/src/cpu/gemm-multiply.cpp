#include "cpu/gemm-multiply.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace gpumark {
namespace {

/** One pass over the inner dimension for one group of columns. */
struct Step {
  std::size_t column;
  std::size_t columns;
  std::size_t k;
  std::size_t depth;
};

std::vector<Step> steps_of(const GemmBlocking& g) {
  std::vector<Step> steps;
  for (std::size_t column = 0; column < g.n; column += g.nc) {
    for (std::size_t k = 0; k < g.n; k += g.kc) {
      steps.push_back({column, std::min(g.nc, g.n - column), k, std::min(g.kc, g.n - k)});
    }
  }
  return steps;
}

/** Panels of mr rows: packed[panel][k][row]. */
template <class T>
void pack_a(const GemmBlocking& g, const Step& s, const T* a, T* packed, int thread, int threads) {
  const auto mr = static_cast<std::size_t>(g.kernel->mr);
  const std::size_t panels = g.n / mr;
  for (std::size_t panel = panels * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
       panel < panels * (static_cast<std::size_t>(thread) + 1) / static_cast<std::size_t>(threads); ++panel) {
    T* out = packed + panel * mr * s.depth;
    for (std::size_t row = 0; row < mr; ++row) {
      const T* in = a + (panel * mr + row) * g.ld + s.k;
      for (std::size_t k = 0; k < s.depth; ++k) out[k * mr + row] = in[k];
    }
  }
}

/** Panels of nr columns: packed[panel][k][column]. */
template <class T>
void pack_b(const GemmBlocking& g, const Step& s, const T* b, T* packed, int thread, int threads) {
  const auto nr = static_cast<std::size_t>(g.kernel->nr);
  const std::size_t panels = s.columns / nr;
  for (std::size_t panel = panels * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
       panel < panels * (static_cast<std::size_t>(thread) + 1) / static_cast<std::size_t>(threads); ++panel) {
    T* out = packed + panel * nr * s.depth;
    for (std::size_t k = 0; k < s.depth; ++k) {
      const T* in = b + (s.k + k) * g.ld + s.column + panel * nr;
      std::copy(in, in + nr, out + k * nr);
    }
  }
}

/** One task: mc rows of A against task_columns columns of B. A panel of B stays in L1 while the rows of A stream from L2. */
template <class T>
void multiply_block(const GemmBlocking& g, const Step& s, std::size_t task, const T* packed_a, const T* packed_b, T* c) {
  const auto mr = static_cast<std::size_t>(g.kernel->mr);
  const auto nr = static_cast<std::size_t>(g.kernel->nr);
  const std::size_t column_tasks = (s.columns + g.task_columns - 1) / g.task_columns;
  const std::size_t row_begin = task / column_tasks * g.mc;
  const std::size_t row_end = std::min(row_begin + g.mc, g.n);
  const std::size_t column_begin = task % column_tasks * g.task_columns;
  const std::size_t column_end = std::min(column_begin + g.task_columns, s.columns);
  for (std::size_t column = column_begin; column < column_end; column += nr) {
    const T* panel = packed_b + column * s.depth;
    for (std::size_t row = row_begin; row < row_end; row += mr) {
      // The next panel of b is fetched during the last tile of this one; before that the prefetch re-reads what is in L1 anyway.
      const T* next = row + mr >= row_end && column + nr < column_end ? panel + nr * s.depth : panel;
      g.kernel->tile(s.depth, packed_a + row * s.depth, panel, c + row * g.ld + s.column + column, g.ld, s.k != 0, next);
    }
  }
}

std::size_t packed_a_elements(const GemmBlocking& g) { return (g.n * g.kc + 1023) / 1024 * 1024; }
std::size_t packed_b_elements(const GemmBlocking& g) { return (g.nc * g.kc + 1023) / 1024 * 1024; }

}  // namespace

std::size_t gemm_workspace_elements(const GemmBlocking& g) { return 2 * (packed_a_elements(g) + packed_b_elements(g)) + 1024; }

template <class T>
double multiply(ThreadPool& pool, const GemmBlocking& g, const T* a, const T* b, T* c, T* workspace) {
  const std::vector<Step> steps = steps_of(g);
  // Tasks are taken from a counter, not dealt out: a core that is slower or disturbed takes fewer. The order of additions
  // into one element of C never changes, so results repeat bit for bit.
  std::vector<std::atomic<std::size_t>> next(steps.size());
  for (auto& counter : next) counter = 0;
  return pool.run_timed([&](int thread) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& s = steps[i];
      // Two sets of buffers: packing step i + 1 cannot disturb a worker still busy with step i, so one barrier per step is enough.
      T* packed_a = workspace + (i % 2) * (packed_a_elements(g) + packed_b_elements(g));
      T* packed_b = packed_a + packed_a_elements(g);
      pack_a(g, s, a, packed_a, thread, pool.size());
      pack_b(g, s, b, packed_b, thread, pool.size());
      pool.barrier().wait();
      const std::size_t tasks = (g.n + g.mc - 1) / g.mc * ((s.columns + g.task_columns - 1) / g.task_columns);
      for (std::size_t task; (task = next[i].fetch_add(1, std::memory_order_relaxed)) < tasks;) {
        multiply_block(g, s, task, packed_a, packed_b, c);
      }
    }
  });
}

template double multiply<float>(ThreadPool&, const GemmBlocking&, const float*, const float*, float*, float*);
template double multiply<double>(ThreadPool&, const GemmBlocking&, const double*, const double*, double*, double*);

}  // namespace gpumark
