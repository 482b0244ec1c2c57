// libhipblaslt: the entry points that the runner calls, with the prototypes of hipblaslt.h. From version 0.6 on it uses
// HIP's constants, before that its own; 0.6 exists in both variants, so with an odd patch level it uses its own too.
// The first releases had shorter structs.
#include "blas/hipblaslt-constants.h"
#include "blas/library.h"
#include "core/loud.h"

namespace gpumark::sim::blas {
namespace {

constexpr int kInvalid = HIPBLAS_STATUS_INVALID_VALUE;
Talker talker("libhipblaslt");

template <std::size_t bytes>
struct Algorithm {
  std::int32_t solution;
  std::uint32_t mark;
  unsigned char unused[bytes - 8];
  std::size_t max_workspace_bytes;
};
template <class Algo>
struct HeuristicResult {
  Algo algo;
  std::size_t workspaceSize;
  int state;
  float wavesCount;
  int reserved[4];
};
using Result = HeuristicResult<Algorithm<16>>;
static_assert(sizeof(Result) == 56);

/** The first releases identified a solution by its number only. */
struct EarlyAlgorithm {
  std::uint32_t solution;
  std::size_t max_workspace_bytes;
};
using EarlyResult = HeuristicResult<EarlyAlgorithm>;
static_assert(sizeof(EarlyResult) == 48);

Version version() { return version_or({0, 12, 0}); }
bool has_early_records() { return version().major == 0 && version().minor < 3; }
bool has_early_types() {
  return version().major == 0 && (version().minor < 6 || (version().minor == 6 && version().patch % 2 == 1));
}

bool has_block_scales() { return version().major >= 1; }

std::optional<Element> element_of(int type) {
  const bool early = has_early_types();
  if (type == (early ? +HIPBLASLT_R_32F : +HIP_R_32F)) return Element::fp32;
  if (type == (early ? +HIPBLASLT_R_64F : +HIP_R_64F)) return Element::fp64;
  if (type == (early ? +HIPBLASLT_R_16F : +HIP_R_16F)) return Element::fp16;
  if (type == (early ? +HIPBLASLT_R_16B : +HIP_R_16BF)) return Element::bf16;
  if (type == (early ? +HIPBLASLT_R_8F_E4M3 : +HIP_R_8F_E4M3_FNUZ)) return Element::fp8_fnuz;
  if (type == HIP_R_8F_E4M3 && !early) return Element::fp8;
  if (type == HIP_R_4F_E2M1 && has_block_scales()) return Element::fp4;
  return std::nullopt;
}

std::optional<Operation> operation_of(int compute, int scale) {
  const auto scalars = element_of(scale);
  const bool early = has_early_types();
  if (compute == (early ? +HIPBLASLT_COMPUTE_F64 : +HIPBLAS_COMPUTE_64F) && scalars == Element::fp64)
    return Operation{Arithmetic::fp64};
  if (scalars != Element::fp32) return std::nullopt;
  if (compute == (early ? +HIPBLASLT_COMPUTE_F32 : +HIPBLAS_COMPUTE_32F)) return Operation{Arithmetic::fp32};
  if (compute == (early ? +HIPBLASLT_COMPUTE_F32_FAST_XF32 : +HIPBLAS_COMPUTE_32F_FAST_TF32))
    return Operation{Arithmetic::tf32};
  return std::nullopt;
}

bool is_supported(const Matmul& m) {
  const std::string type = m.type();
  return !type.empty() && !has_fault("not-supported", type) && device_has(Vendor::amd, m) && type != "nvfp4" &&
         scales_are_whole(m) && (type != "fp8" || fp8_is_aligned(m));
}

/** Solutions are numbered from 1000 on, by their index. Empty if this is not one of them. */
std::optional<int> index_of(const void* algo) {
  if (!algo) return std::nullopt;
  std::int32_t solution = 0;
  std::uint32_t mark = 0;
  std::memcpy(&solution, algo, sizeof solution);
  std::memcpy(&mark, static_cast<const char*>(algo) + sizeof solution, sizeof mark);
  const int index = solution - 1000;
  return index >= 0 && index < kProposalCount && (has_early_records() || mark == kAlgorithmMark) ? std::optional(index)
                                                                                                 : std::nullopt;
}

void write_result(void* results, int at, int index, const Proposal& proposal, std::uint64_t limit) {
  const int state = proposal.fails ? HIPBLAS_STATUS_NOT_SUPPORTED : HIPBLAS_STATUS_SUCCESS;
  const std::int32_t solution = 1000 + index;
  // Like the library, sets single fields: the reserved ones keep their value.
  if (has_early_records()) {
    EarlyResult& result = static_cast<EarlyResult*>(results)[at];
    result.algo = {static_cast<std::uint32_t>(solution), limit};
    result.workspaceSize = proposal.workspace_bytes, result.state = state, result.wavesCount = 1;
    return;
  }
  Result& result = static_cast<Result*>(results)[at];
  result.algo = {solution, kAlgorithmMark, {}, limit};
  result.workspaceSize = proposal.workspace_bytes, result.state = state, result.wavesCount = 1;
}

}  // namespace

GPUMARK_SIM_EXPORT int gpumark_simulated_library;
int gpumark_simulated_library = 1;

GPUMARK_SIM_EXPORT int hipblasLtCreate(void** handle) {
  talker.called();
  return has_fault("create-fails") ? HIPBLAS_STATUS_NOT_INITIALIZED : create(handle, Library{}, kInvalid);
}
GPUMARK_SIM_EXPORT int hipblasLtDestroy(void* handle) {
  return destroy<Library>(handle, HIPBLAS_STATUS_NOT_INITIALIZED);
}

GPUMARK_SIM_EXPORT int hipblasLtGetVersion(void* handle, int* number) {
  if (!handles<Library>().find(handle) || !number) return HIPBLAS_STATUS_NOT_INITIALIZED;
  *number = version().major * 100000 + version().minor * 100 + version().patch;
  return HIPBLAS_STATUS_SUCCESS;
}

GPUMARK_SIM_EXPORT int hipblasLtMatmulDescCreate(void** desc, int compute, int scale) {
  OperationDescriptor made;
  made.operation = operation_of(compute, scale);
  made.double_scale = element_of(scale) == Element::fp64;
  return create(desc, std::move(made), kInvalid);
}
GPUMARK_SIM_EXPORT int hipblasLtMatmulDescDestroy(void* desc) { return destroy<OperationDescriptor>(desc, kInvalid); }

GPUMARK_SIM_EXPORT int hipblasLtMatmulDescSetAttribute(void* desc, int attr, const void* buf, std::size_t bytes) {
  const auto descriptor = handles<OperationDescriptor>().find(desc);
  if (descriptor && has_block_scales()) {
    if (descriptor->operation) descriptor->operation->scales_in_rows = true;
    const auto set = set_scales(*descriptor, attr, buf, bytes, HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER,
                                HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER, HIPBLASLT_MATMUL_DESC_A_SCALE_MODE,
                                HIPBLASLT_MATMUL_DESC_B_SCALE_MODE);
    if (set) return *set ? HIPBLAS_STATUS_SUCCESS : kInvalid;
  }
  const auto value = word(buf, bytes);
  if (!descriptor || !value || (attr != HIPBLASLT_MATMUL_DESC_TRANSA && attr != HIPBLASLT_MATMUL_DESC_TRANSB) ||
      (*value != HIPBLAS_OP_N && *value != HIPBLAS_OP_T))
    return kInvalid;
  if (!descriptor->operation) return HIPBLAS_STATUS_SUCCESS;
  (attr == HIPBLASLT_MATMUL_DESC_TRANSA ? descriptor->operation->transpose_a : descriptor->operation->transpose_b) =
      *value == HIPBLAS_OP_T;
  return HIPBLAS_STATUS_SUCCESS;
}

GPUMARK_SIM_EXPORT int hipblasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows, std::uint64_t columns,
                                                   std::int64_t leading) {
  const auto element = element_of(type);
  return element ? create(layout, Layout{*element, rows, columns, leading}, kInvalid) : kInvalid;
}
GPUMARK_SIM_EXPORT int hipblasLtMatrixLayoutDestroy(void* layout) { return destroy<Layout>(layout, kInvalid); }

GPUMARK_SIM_EXPORT int hipblasLtMatmulPreferenceCreate(void** preference) {
  return create(preference, Preference{}, kInvalid);
}
GPUMARK_SIM_EXPORT int hipblasLtMatmulPreferenceDestroy(void* preference) {
  return destroy<Preference>(preference, kInvalid);
}
GPUMARK_SIM_EXPORT int hipblasLtMatmulPreferenceSetAttribute(void* preference, int attr, const void* buf,
                                                             std::size_t bytes) {
  const auto wanted = handles<Preference>().find(preference);
  if (!wanted || attr != HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES || !buf || bytes != 8) return kInvalid;
  std::memcpy(&wanted->max_workspace, buf, 8);
  return HIPBLAS_STATUS_SUCCESS;
}

GPUMARK_SIM_EXPORT int hipblasLtMatmulAlgoGetHeuristic(void* handle, void* desc, void* a, void* b, void* c, void* d,
                                                       void* preference, int wanted, void* results, int* returned) {
  if (!handles<Library>().find(handle)) return HIPBLAS_STATUS_NOT_INITIALIZED;
  const auto limits = handles<Preference>().find(preference);
  const auto matmul = put_together(desc, a, b, c, d);
  if (!limits || !results || !returned || wanted <= 0 || !matmul) return kInvalid;
  if (!is_supported(*matmul)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  if (!matmul->fits()) return kInvalid;
  *returned = 0;
  if (has_fault("no-heuristics", matmul->type())) return HIPBLAS_STATUS_SUCCESS;
  const int count = has_fault("one-proposal") ? 1 : kProposalCount;
  for (int i = 0; i < count && *returned < wanted; ++i) {
    const Proposal& proposal = kProposals[i];
    if (proposal.workspace_bytes <= limits->max_workspace)
      write_result(results, (*returned)++, proposal.repeats < 0 ? i : proposal.repeats, proposal,
                   limits->max_workspace);
  }
  return HIPBLAS_STATUS_SUCCESS;
}

GPUMARK_SIM_EXPORT int hipblasLtMatmul(void* handle, void* desc, const void* alpha, std::uint64_t a, void* a_layout,
                                       std::uint64_t b, void* b_layout, const void* beta, std::uint64_t c,
                                       void* c_layout, std::uint64_t d, void* d_layout, const void* algo,
                                       std::uint64_t workspace, std::size_t workspace_bytes, void* stream) {
  if (!handles<Library>().find(handle)) return HIPBLAS_STATUS_NOT_INITIALIZED;
  const auto matmul = put_together(desc, a_layout, b_layout, c_layout, d_layout);
  const auto index = index_of(algo);
  if (!matmul || !index || !alpha || !beta || !a || !b || !d || !matmul->fits()) return kInvalid;
  if (!is_supported(*matmul)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  if (workspace_bytes < kProposals[*index].workspace_bytes || (workspace_bytes > 0 && workspace == 0)) return kInvalid;
  if (has_fault("fails-to-run", matmul->type())) return HIPBLAS_STATUS_EXECUTION_FAILED;
  const auto descriptor = handles<OperationDescriptor>().find(desc);
  const MatmulArguments arguments{
      scalar(*descriptor, alpha), scalar(*descriptor, beta), a, b, c, d, workspace, workspace_bytes, *index};
  return submit_matmul(stream, *matmul, arguments) == kOk ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace gpumark::sim::blas
