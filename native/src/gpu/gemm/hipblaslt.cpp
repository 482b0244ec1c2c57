// hipBLASLt, 0.1 to 1.x.
#include "gpu/gemm/hipblaslt-values.h"
#include "gpu/gemm/vendor-library.h"
#include "gpu/vendors/vendors.h"

namespace gpumark {
namespace {

using namespace hipblaslt;

const VendorDialect kDialect = {
    .prefix = "hipblasLt",
    .status_prefix = "HIPBLAS_STATUS_",
    .statuses = {{kSuccess, "SUCCESS"},
                 {kNotInitialized, "NOT_INITIALIZED"},
                 {kAllocationFailed, "ALLOC_FAILED"},
                 {kInvalidValue, "INVALID_VALUE"},
                 {kMappingError, "MAPPING_ERROR"},
                 {kExecutionFailed, "EXECUTION_FAILED"},
                 {kInternalError, "INTERNAL_ERROR"},
                 {kNotSupported, "NOT_SUPPORTED"},
                 {kArchitectureMismatch, "ARCH_MISMATCH"},
                 {kNullHandle, "HANDLE_IS_NULLPTR"},
                 {kInvalidEnum, "INVALID_ENUM"},
                 {kUnknown, "UNKNOWN"}},
    // It returns "invalid value" if it has no kernels for the architecture.
    .declining = {kNotSupported, kInvalidValue, kArchitectureMismatch, kInvalidEnum},
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
    // Its authors recommend 76 MiB, and it uses at most 256 MiB (comments in PyTorch's tuner): a power of two between
    // them.
    .workspace_bytes = std::size_t{128} << 20,
};

/** CDNA3: xf32, and fp8 in the FNUZ formats. */
bool is_cdna3(const std::string& architecture) {
  return architecture == "gfx940" || architecture == "gfx941" || architecture == "gfx942";
}
/** fp8 in the OCP formats: CDNA4 and RDNA4. */
bool has_ocp_fp8(const std::string& architecture) {
  return architecture == "gfx950" || architecture.rfind("gfx12", 0) == 0;
}

/** CDNA also has matrix instructions for fp32, which the library prefers without reporting it. */
bool has_fp32_matrix_units(const std::string& architecture) {
  return architecture == "gfx908" || architecture == "gfx90a" || architecture == "gfx950" || is_cdna3(architecture);
}

std::string why_not(GemmType type, const LibraryVersion& version, const std::string& architecture) {
  if (type == GemmType::fp32 && has_fp32_matrix_units(architecture)) {
    // Up to twice the ordinary lanes' rate (gfx90a), so not reported as their figure.
    return "hipBLASLt multiplies fp32 on the matrix units of " + architecture +
           ", and this figure is that of the ordinary lanes";
  }
  if (type == GemmType::fp32_matrix && !has_fp32_matrix_units(architecture))
    return architecture + " has no matrix instructions for fp32";
  if (type == GemmType::tf32 && !is_cdna3(architecture)) {
    // The library would accept the call and compute it with other instructions.
    return architecture + " has no matrix instructions that round fp32 to 10 bits of mantissa (xf32)";
  }
  if (is_block_scaled(type)) {
    if (architecture != "gfx950" || type == GemmType::nvfp4)
      return architecture + " has no matrix instructions for " + spec_of(type).name;
    if (version.before(1, 0)) return "hipBLASLt " + version.text() + " has no block scales, which came with 1.0";
    return "";
  }
  if (type != GemmType::fp8) return "";
  if (!is_cdna3(architecture) && !has_ocp_fp8(architecture)) return architecture + " has no fp8";
  if (version.before(0, 6)) return "hipBLASLt " + version.text() + " has no fp8, which came with 0.6";
  if (has_ocp_fp8(architecture) && version.before(0, 10))
    return "hipBLASLt " + version.text() + " has no fp8 of the OCP format, which came with 0.10";
  return "";
}

VendorTypes current_types(GemmType type, const std::string& architecture) {
  switch (type) {
    case GemmType::fp32:
    case GemmType::fp32_matrix: return {kCompute32, kReal32, kReal32, kReal32};
    case GemmType::fp64: return {kCompute64, kReal64, kReal64, kReal64, true};
    case GemmType::tf32: return {kCompute32FastTf32, kReal32, kReal32, kReal32};
    case GemmType::fp16: return {kCompute32, kReal32, kReal16, kReal16};
    case GemmType::bf16: return {kCompute32, kReal32, kBrain16, kBrain16};
    case GemmType::mixed: return {kCompute32, kReal32, kReal16, kReal32};
    case GemmType::mxfp4:
      return {kCompute32, kReal32, kReal4E2M1, kBrain16, false, false, kScaleVec32Ue8m0, NumberFormat::mxfp4_rows};
    case GemmType::mxfp8:
      return {kCompute32, kReal32, kReal8E4M3, kBrain16, false, false, kScaleVec32Ue8m0, NumberFormat::mxfp8_rows};
    case GemmType::nvfp4:
    case GemmType::fp8: break;
  }
  return {kCompute32, kReal32, is_cdna3(architecture) ? kReal8E4M3Fnuz : kReal8E4M3, kBrain16};
}

VendorTypes early_types(GemmType type) {
  switch (type) {
    case GemmType::fp32:
    case GemmType::fp32_matrix: return {early::kCompute32, early::kReal32, early::kReal32, early::kReal32};
    case GemmType::fp64: return {early::kCompute64, early::kReal64, early::kReal64, early::kReal64, true};
    case GemmType::tf32: return {early::kCompute32FastXf32, early::kReal32, early::kReal32, early::kReal32};
    case GemmType::fp16: return {early::kCompute32, early::kReal32, early::kReal16, early::kReal16};
    case GemmType::bf16: return {early::kCompute32, early::kReal32, early::kBrain16, early::kBrain16};
    case GemmType::mixed: return {early::kCompute32, early::kReal32, early::kReal16, early::kReal32};
    // The first releases have no block scales: see why_not.
    case GemmType::nvfp4:
    case GemmType::mxfp4:
    case GemmType::mxfp8:
    case GemmType::fp8: break;
  }
  return {early::kCompute32, early::kReal32, early::kReal8E4M3Fnuz, early::kBrain16};
}

/** 0.6 exists with either set of values, which do not overlap; a library refuses those of the other set. */
VendorNames names_of(GemmType type, const LibraryVersion& version, const std::string& architecture) {
  const std::string reason = why_not(type, version, architecture);
  if (!reason.empty()) return {{}, reason};
  if (version.before(0, 6)) return {{early_types(type)}, ""};
  if (version.before(0, 7)) return {{current_types(type, architecture), early_types(type)}, ""};
  return {{current_types(type, architecture)}, ""};
}

/**
 * Whether the library wrote the shorter records of its first releases. The version of the change is unknown, so the
 * number of bytes written decides: n records end past the status of the last and within n times their length, which
 * distinguishes the two from 3 records on.
 */
bool has_early_records(const std::vector<unsigned char>& room, int count) {
  std::size_t written = room.size();
  while (written > 0 && room[written - 1] == VendorLibrary::kUntouched) --written;
  return written <= static_cast<std::size_t>(count) * sizeof(HipblasLtEarlyRecord);
}
constexpr int kTellsApart = 3;
static_assert((kTellsApart - 1) * sizeof(HipblasLtRecord) + offsetof(HipblasLtRecord, waves) >
                  kTellsApart * sizeof(HipblasLtEarlyRecord),
              "no overlap");

class HipblasLt final : public VendorLibrary {
 public:
  explicit HipblasLt(void* loaded) : VendorLibrary(kDialect, loaded) {}

  VendorNames names(GemmType type, const std::string& architecture) const override {
    return names_of(type, version(), architecture);
  }

  bool has_fast_accumulation() const override { return false; }
  int ask_fast_accumulation(Handle) const override { return kNotSupported; }

  std::vector<VendorAlgorithm> read_proposals(const std::vector<unsigned char>& room, int count,
                                              std::string& unreadable) const override {
    const bool first_releases = version().before(0, 6);
    if (first_releases && count > 0 && count < kTellsApart) {
      unreadable = "its answer of " + std::to_string(count) + " is too short to tell how it is laid out";
      return {};
    }
    const bool early = first_releases && has_early_records(room, count);
    std::vector<VendorAlgorithm> proposals;
    for (int i = 0; i < count; ++i)
      proposals.push_back(early ? read_record<HipblasLtEarlyRecord>(room, i) : read_record<HipblasLtRecord>(room, i));
    return proposals;
  }

  /** The only readable part: hipblaslt_ext, which has names, is C++, and its ABI differs between compilers. */
  std::string algorithm_text(const VendorAlgorithm& algorithm) const override {
    std::int32_t solution = -1;
    if (algorithm.bytes.size() >= sizeof solution) __builtin_memcpy(&solution, algorithm.bytes.data(), sizeof solution);
    return "solution " + std::to_string(solution);
  }
  std::optional<std::uint64_t> algorithm_numerics(const VendorAlgorithm&) const override { return std::nullopt; }

 private:
  const char* bind_own() override {
    find("GetVersion", get_version_);
    return nullptr;
  }

  std::string read_version() override {
    int number = 0;
    if (get_version_ && get_version_(handle(), &number) == 0)
      version_ = {number / 100000, number / 100 % 1000, number % 100};
    return "";
  }

  HipblasLtVersion get_version_ = nullptr;
};

}  // namespace

std::shared_ptr<VendorLibrary> make_hipblaslt(void* loaded) { return std::make_shared<HipblasLt>(loaded); }

}  // namespace gpumark
