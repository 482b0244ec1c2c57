// What an algorithm of the vendor's library is made of, as far as the library tells.
#pragma once
#include <optional>
#include <string>

#include "gpu/gemm/vendor-product.h"

namespace gpumark {

/**
 * "algo 66 tile 23 stages 36 split_k 1 reduction 0 swizzle 0 custom 0 inner 0 cluster 4"; of hipBLASLt "solution 1234".
 */
std::string algorithm_text(const VendorLibrary& library, const VendorAlgorithm& algorithm);

/** Which instructions it multiplies with, CUBLASLT_NUMERICAL_IMPL_FLAGS_*; nothing where the library does not say. */
std::optional<std::uint64_t> algorithm_numerics(const VendorLibrary& library, const VendorAlgorithm& algorithm);

/**
 * False for instructions that the type's definition does not allow: matrix units for fp32, emulation for fp64, none for
 * tf32.
 */
bool keeps_to_type(GemmType type, std::optional<std::uint64_t> numerics);

}  // namespace gpumark
