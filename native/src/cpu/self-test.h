#pragma once
#include <string>
#include <vector>

#include "cpu/cpu-context.h"

namespace gpumark {

/** Every kernel of every instruction set this processor runs, on small inputs; names of those that were wrong. */
std::vector<std::string> self_test_cpu(CpuContext& cpu);

}  // namespace gpumark
