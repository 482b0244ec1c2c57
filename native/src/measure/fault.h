// Lets a special build corrupt one output, to show that verification can fail. The product links the no-op version.
#pragma once
#include <cstddef>

namespace gpumark {

/** Called on each output before it is verified; `name` is the benchmark id. */
void spoil_output(const char* name, void* data, std::size_t bytes);

}  // namespace gpumark
