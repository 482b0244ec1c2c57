// What every thread of an issue probe writes after so many rounds, by arithmetic; each family says why beside its kernel.
#pragma once

namespace gpumark::device {

}  // namespace gpumark::device
