#include "measure/fault.h"

namespace gpumark {

void spoil_output(const char*, void*, std::size_t) {}

}  // namespace gpumark
