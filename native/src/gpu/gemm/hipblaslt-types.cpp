#include "gpu/gemm/hipblaslt-values.h"
#include "gpu/gemm/vendor-types.h"

namespace gpumark {
namespace {

using namespace hipblaslt;

/** CDNA3: xf32, and fp8 in the FNUZ formats. */
bool is_cdna3(const std::string& architecture) {
  return architecture == "gfx940" || architecture == "gfx941" || architecture == "gfx942";
}
/** fp8 in the OCP formats: CDNA4 and RDNA4. */
bool has_ocp_fp8(const std::string& architecture) {
  return architecture == "gfx950" || architecture.rfind("gfx12", 0) == 0;
}

/** CDNA: matrix instructions for fp32 too, which the library prefers and does not say. */
bool has_fp32_matrix_units(const std::string& architecture) {
  return architecture == "gfx908" || architecture == "gfx90a" || architecture == "gfx950" || is_cdna3(architecture);
}

std::string why_not(GemmType type, const LibraryVersion& version, const std::string& architecture) {
  if (type == GemmType::fp32 && has_fp32_matrix_units(architecture)) {
    // Up to twice the ordinary lanes' rate (gfx90a): not to be had under that name.
    return "hipBLASLt multiplies fp32 on the matrix units of " + architecture +
           ", and this figure is that of the ordinary lanes";
  }
  if (type == GemmType::fp32_matrix && !has_fp32_matrix_units(architecture))
    return architecture + " has no matrix instructions for fp32";
  if (type == GemmType::tf32 && !is_cdna3(architecture)) {
    // The library would take the call and compute it with other instructions.
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
    // Block scales are none of the first releases': see why_not.
    case GemmType::nvfp4:
    case GemmType::mxfp4:
    case GemmType::mxfp8:
    case GemmType::fp8: break;
  }
  return {early::kCompute32, early::kReal32, early::kReal8E4M3Fnuz, early::kBrain16};
}

}  // namespace

/** 0.6 exists with both sets of numbers, which have none in common; a library refuses the other set's. */
VendorNames hipblaslt_names(GemmType type, const LibraryVersion& version, const std::string& architecture) {
  const std::string reason = why_not(type, version, architecture);
  if (!reason.empty()) return {{}, reason};
  if (version.before(0, 6)) return {{early_types(type)}, ""};
  if (version.before(0, 7)) return {{current_types(type, architecture), early_types(type)}, ""};
  return {{current_types(type, architecture)}, ""};
}

}  // namespace gpumark
