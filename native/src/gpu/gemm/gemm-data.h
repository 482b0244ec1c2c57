// Operands of a product on the device: sets of A, B and C that samples cycle through, so that inputs are not cached.
#pragma once
#include <memory>
#include <vector>

#include "gpu/gemm/gemm-problem.h"
#include "gpu/gpu-benchmark.h"
#include "number-formats.h"

namespace gpumark {

/** Formats of inputs and of the output on this device: fp8 is FNUZ on gfx942. */
NumberFormat input_format(GemmType type, const GpuDevice& device);
NumberFormat output_format(GemmType type);

enum class GemmFill { random, zeros };

class GemmData {
 public:
  /**
   * Enough sets to fill three times the last-level cache, at least one, within `limit` bytes. Random: near-normal
   * numbers of mean 0 and variance 1 in the input's own format, with a different seed for every matrix.
   * @throws GpuError if an allocation fails
   */
  GemmData(GpuRun& run, GemmType type, const GemmShape& shape, GemmFill fill, std::size_t limit);
  std::size_t sets() const { return sets_.size(); }
  /** Set `index` modulo their number. */
  GemmOperands operands(std::size_t index) const;
  const GpuMemory& c(std::size_t set) const { return *sets_[set].c; }
  GemmType type() const { return type_; }
  const GemmShape& shape() const { return shape_; }

 private:
  struct Set {
    std::unique_ptr<GpuMemory> a, b, c;
  };
  GemmType type_;
  GemmShape shape_;
  std::vector<Set> sets_;
};

/** Bytes of one set, as allocated (block-scaled: at most). */
std::size_t gemm_set_bytes(GemmType type, const GemmShape& shape);

}  // namespace gpumark
