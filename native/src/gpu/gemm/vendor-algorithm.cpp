#include "gpu/gemm/vendor-algorithm.h"

#include <cstring>

#include "gpu/gemm/cublaslt-values.h"

namespace gpumark {
namespace {

struct ConfigEntry {
  const char* name;
  int attribute;
  std::size_t bytes;
};

/** Inner shape and cluster came with 12; a library without one answers an error, and the entry is left out. */
constexpr ConfigEntry kConfig[] = {
    {"algo", cublaslt::kConfigId, 4},
    {"tile", cublaslt::kConfigTile, 4},
    {"stages", cublaslt::kConfigStages, 4},
    {"split_k", cublaslt::kConfigSplitK, 4},
    {"reduction", cublaslt::kConfigReduction, 4},
    {"swizzle", cublaslt::kConfigSwizzling, 4},
    {"custom", cublaslt::kConfigCustomOption, 4},
    {"inner", cublaslt::kConfigInnerShape, 2},
    {"cluster", cublaslt::kConfigCluster, 2},
};

}  // namespace

std::string algorithm_text(const VendorLibrary& library, const VendorAlgorithm& algorithm) {
  if (!library.is_nvidia()) {
    // The only readable part: hipblaslt_ext, which tells names, is C++ and differs from compiler to compiler.
    std::int32_t solution = -1;
    if (algorithm.bytes.size() >= sizeof solution) std::memcpy(&solution, algorithm.bytes.data(), sizeof solution);
    return "solution " + std::to_string(solution);
  }
  std::string text;
  for (const ConfigEntry& entry : kConfig) {
    // Little-endian: the lower bytes are the value, whatever its width.
    std::uint32_t value = 0;
    std::size_t written = 0;
    if (library.call().cublaslt_algorithm_config(algorithm.bytes.data(), entry.attribute, &value, entry.bytes,
                                                 &written) != 0)
      continue;
    text += (text.empty() ? "" : " ") + std::string(entry.name) + " " + std::to_string(value);
  }
  return text.empty() ? "unnamed" : text;
}

std::optional<std::uint64_t> algorithm_numerics(const VendorLibrary& library, const VendorAlgorithm& algorithm) {
  std::uint64_t flags = 0;
  std::size_t written = 0;
  if (!library.is_nvidia() ||
      library.call().cublaslt_algorithm_capability(algorithm.bytes.data(), cublaslt::kCapabilityNumerics, &flags,
                                                   sizeof flags, &written) != 0)
    return std::nullopt;
  return flags;
}

bool keeps_to_type(GemmType type, std::optional<std::uint64_t> numerics) {
  using namespace cublaslt;
  const std::uint64_t used = numerics.value_or(0) & kInstructionMask;
  std::uint64_t allowed = kInstructionMask;
  if (type == GemmType::fp32) allowed = kUsesFma;
  if (type == GemmType::tf32) allowed = kUsesHmma;
  if (type == GemmType::fp64) allowed = kUsesFma | kUsesDmma;
  return (used & ~allowed) == 0;
}

}  // namespace gpumark
