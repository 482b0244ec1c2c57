#pragma once

namespace gpumark::sim::collective {

const char* last_error();

}  // namespace gpumark::sim::collective
