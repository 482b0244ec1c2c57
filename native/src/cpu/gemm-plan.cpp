#include "cpu/gemm-plan.h"

#include <algorithm>
#include <numeric>

namespace gpumark {

std::size_t round_to_tile(const GemmKernel& kernel, std::size_t n) {
  const auto unit = static_cast<std::size_t>(std::lcm(std::lcm(kernel.mr, kernel.nr), kernel.a_group));
  return (n + unit - 1) / unit * unit;
}

GemmBlocking plan_blocking(const Topology& topology, int threads, const GemmKernel& kernel, std::size_t n,
                           std::size_t depth, std::size_t input_bytes) {
  const auto mr = static_cast<std::size_t>(kernel.mr);
  const auto nr = static_cast<std::size_t>(kernel.nr);
  GemmBlocking g{};
  g.kernel = &kernel;
  g.n = n;
  g.ld = (n + 15) / 16 * 16 + 16;
  // Equal depths: 5 x 340 rather than 4 x 384 and a remainder of 164.
  const std::size_t passes = (n + depth - 1) / depth;
  const auto group = static_cast<std::size_t>(kernel.a_group);
  g.kc = ((n + passes - 1) / passes + group - 1) / group * group;
  // The block of A takes 0.4 of L2, so that panels of B and C can pass through; never more than 1/4 of the rows.
  const std::size_t l2 = topology.l2_bytes ? topology.l2_bytes : 256 << 10;
  const std::size_t rows = l2 * 2 / 5 / (g.kc * input_bytes) / mr * mr;
  g.mc = std::clamp(rows, mr, std::max(mr, n / 4 / mr * mr));
  // A is packed again for each nc columns. Tile units do an element's work for 4096 columns in 4 ns, of which packing
  // it would take a tenth: 16-bit elements are packed once, since the packed panel of B still takes no more than a
  // last-level cache has for it.
  const std::size_t columns_at_once = input_bytes == 2 ? 16384 : 4096;
  g.nc = std::min<std::size_t>(n, columns_at_once / nr * nr);
  // At least eight tasks per worker, so that the last one to finish wastes little, and at most 640 columns each
  // (measured best on Zen 3); 128 columns or more keep the re-reads of A cheap.
  const std::size_t row_tasks = (n + g.mc - 1) / g.mc;
  const std::size_t column_tasks =
      std::max((g.nc + 639) / 640, (8 * static_cast<std::size_t>(threads) + row_tasks - 1) / row_tasks);
  const std::size_t columns = std::max((g.nc + column_tasks - 1) / column_tasks, std::min<std::size_t>(g.nc, 128));
  g.task_columns = (columns + nr - 1) / nr * nr;
  return g;
}

}  // namespace gpumark
