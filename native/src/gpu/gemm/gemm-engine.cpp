#include "gpu/gemm/gemm-engine.h"

#include "gpu/gpu-benchmark.h"

namespace gpumark {

std::vector<EngineSlot> engines_of(GpuRun& run) {
  const EngineChoice choice = run.options.engine;
  std::vector<EngineSlot> slots(2);
  slots[0].name = "vendor";
  slots[1].name = "own";
  if (choice == EngineChoice::own) {
    slots[0].left_out = "not requested (--engine own)";
  } else {
    slots[0].engine = make_vendor_engine(run.gpu);
  }
  if (choice == EngineChoice::vendor) {
    slots[1].left_out = "not requested (--engine vendor)";
  } else {
    slots[1].engine = make_own_engine(run);
  }
  return slots;
}

}  // namespace gpumark
