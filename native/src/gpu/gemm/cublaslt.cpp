// cuBLASLt, 11 to 13.
#include "gpu/gemm/cublaslt-values.h"
#include "gpu/gemm/vendor-library.h"
#include "gpu/vendors/vendors.h"

namespace gpumark {
namespace {

using namespace cublaslt;

const VendorDialect kDialect = {
    .prefix = "cublasLt",
    .status_prefix = "CUBLAS_STATUS_",
    .statuses = {{kSuccess, "SUCCESS"},
                 {kNotInitialized, "NOT_INITIALIZED"},
                 {kAllocationFailed, "ALLOC_FAILED"},
                 {kInvalidValue, "INVALID_VALUE"},
                 {kArchitectureMismatch, "ARCH_MISMATCH"},
                 {kMappingError, "MAPPING_ERROR"},
                 {kExecutionFailed, "EXECUTION_FAILED"},
                 {kInternalError, "INTERNAL_ERROR"},
                 {kNotSupported, "NOT_SUPPORTED"},
                 {kLicenseError, "LICENSE_ERROR"}},
    .declining = {kNotSupported, kInvalidValue, kArchitectureMismatch},
    .allocation_failed = kAllocationFailed,
    .numbers = {.transpose_a = kTransposeA,
                .transpose_b = kTransposeB,
                .max_workspace = kMaxWorkspace,
                .scale_pointer_a = kScalePointerA,
                .scale_pointer_b = kScalePointerB,
                .scale_mode_a = kScaleModeA,
                .scale_mode_b = kScaleModeB,
                .plain = kPlain,
                .transposed = kTransposed},
    // NVIDIA recommends 32 MiB for Hopper and Blackwell, 12 or 4 MiB elsewhere (cublasSetWorkspace); a larger workspace
    // only widens the choice.
    .workspace_bytes = std::size_t{32} << 20,
};

struct ConfigEntry {
  const char* name;
  int attribute;
  std::size_t bytes;
};

/** Inner shape and cluster came with version 12; an older library returns an error, and the entry is left out. */
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

/**
 * fp32 requests CUBLAS_COMPUTE_32F, which frameworks use with TF32 disabled: products and sums in fp32. The pedantic
 * variant gives nothing more for real numbers and excludes fast kernels; TF32 and emulated fp32 have their own compute
 * types, and each algorithm is checked for complying (keeps_to_type).
 */
VendorNames names_of(GemmType type, const LibraryVersion& version) {
  switch (type) {
    case GemmType::fp32: return {{{kCompute32, kReal32, kReal32, kReal32}}, ""};
    case GemmType::fp64: return {{{kCompute64, kReal64, kReal64, kReal64, true}}, ""};
    case GemmType::tf32: return {{{kCompute32FastTf32, kReal32, kReal32, kReal32}}, ""};
    case GemmType::fp16: return {{{kCompute32, kReal32, kReal16, kReal16}}, ""};
    case GemmType::bf16: return {{{kCompute32, kReal32, kBrain16, kBrain16}}, ""};
    case GemmType::mixed: return {{{kCompute32, kReal32, kReal16, kReal32}}, ""};
    case GemmType::fp32_matrix:
      return {{}, "NVIDIA's matrix units round fp32 to 10 bits of mantissa (TF32); none keeps all of it"};
    case GemmType::fp8:
      if (version.before(11, 8)) return {{}, "cuBLASLt " + version.text() + " has no fp8, which came with 11.8"};
      // Frameworks request 16-bit output for fp8; scales that are not set are 1.
      return {{{kCompute32, kReal32, kReal8E4M3, kBrain16, false, true}}, ""};
    case GemmType::mxfp4: return {{}, "cuBLASLt multiplies 4-bit numbers with the scales of NVFP4 alone"};
    case GemmType::nvfp4:
    case GemmType::mxfp8:
      if (version.before(12, 8))
        return {{}, "cuBLASLt " + version.text() + " has no block scales, which came with 12.8"};
      if (type == GemmType::nvfp4)
        return {{{kCompute32, kReal32, kReal4E2M1, kBrain16, false, false, kScaleVec16Ue4m3, NumberFormat::nvfp4}}, ""};
      return {{{kCompute32, kReal32, kReal8E4M3, kBrain16, false, false, kScaleVec32Ue8m0, NumberFormat::mxfp8}}, ""};
  }
  return {{}, "no such type"};
}

class CublasLt final : public VendorLibrary {
 public:
  explicit CublasLt(void* loaded) : VendorLibrary(kDialect, loaded) {}

  VendorNames names(GemmType type, const std::string&) const override { return names_of(type, version()); }

  bool has_fast_accumulation() const override { return true; }
  int ask_fast_accumulation(Handle operation) const override {
    const std::int8_t on = 1;
    return call().operation_set(operation, kFastAccumulation, &on, sizeof on);
  }

  std::vector<VendorAlgorithm> read_proposals(const std::vector<unsigned char>& room, int count,
                                              std::string&) const override {
    std::vector<VendorAlgorithm> proposals;
    for (int i = 0; i < count; ++i) proposals.push_back(read_record<CublasLtRecord>(room, i));
    return proposals;
  }

  std::string algorithm_text(const VendorAlgorithm& algorithm) const override {
    std::string text;
    for (const ConfigEntry& entry : kConfig) {
      // Little-endian: the lower bytes are the value, whatever its width. Those of 32 bits are signed: split_k is -1
      // where the library splits as it likes.
      std::int32_t value = 0;
      std::size_t written = 0;
      if (own_.algorithm_config(algorithm.bytes.data(), entry.attribute, &value, entry.bytes, &written) != 0) continue;
      text += (text.empty() ? "" : " ") + std::string(entry.name) + " " + std::to_string(value);
    }
    return text.empty() ? "unnamed" : text;
  }

  std::optional<std::uint64_t> algorithm_numerics(const VendorAlgorithm& algorithm) const override {
    std::uint64_t flags = 0;
    std::size_t written = 0;
    const int status =
        own_.algorithm_capability(algorithm.bytes.data(), kCapabilityNumerics, &flags, sizeof flags, &written);
    return status == 0 ? std::optional<std::uint64_t>(flags) : std::nullopt;
  }

 private:
  const char* bind_own() override {
    if (!find("GetProperty", own_.property)) return "GetProperty";
    if (!find("MatmulAlgoConfigGetAttribute", own_.algorithm_config)) return "MatmulAlgoConfigGetAttribute";
    return find("MatmulAlgoCapGetAttribute", own_.algorithm_capability) ? nullptr : "MatmulAlgoCapGetAttribute";
  }

  std::string read_version() override {
    for (const auto& [property, value] : {std::pair{kMajorVersion, &version_.major},
                                          {kMinorVersion, &version_.minor},
                                          {kPatchLevel, &version_.patch}}) {
      if (const int status = own_.property(property, value)) return answer("GetProperty", status);
    }
    return "";
  }

  CublasLtCalls own_;
};

}  // namespace

std::shared_ptr<VendorLibrary> make_cublaslt(void* loaded) { return std::make_shared<CublasLt>(loaded); }

bool keeps_to_type(GemmType type, std::optional<std::uint64_t> numerics) {
  const std::uint64_t flags = numerics.value_or(0), used = flags & kInstructionMask, inputs = flags & kInputMask;
  if (type == GemmType::fp32) return (used & ~kUsesFma) == 0 && (inputs & ~kInput32) == 0;
  // cuBLASLt 13.1 reports FMA for its wgmma kernels for TF32 on sm_90 (0x40201), HMMA for its mma.sync kernels
  // (0x40202).
  if (type == GemmType::tf32) return inputs ? inputs == kInputTf32 : (used & ~kUsesHmma) == 0;
  return type != GemmType::fp64 || (used & ~(kUsesFma | kUsesDmma)) == 0;
}

}  // namespace gpumark
