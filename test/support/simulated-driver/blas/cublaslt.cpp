// libcublasLt: the entry points that the runner calls, with the prototypes of cublasLt.h.
#include "blas/cublaslt-constants.h"
#include "blas/library.h"
#include "core/loud.h"

namespace gpumark::sim::blas {
namespace {

constexpr int kInvalid = CUBLAS_STATUS_INVALID_VALUE;
Talker talker("libcublasLt");

/** The content of the 64 opaque bytes. */
struct Algorithm {
  std::uint32_t mark = kAlgorithmMark;
  std::int32_t index = 0, id = 0;
  /** Flags for the operation for which it was proposed. */
  std::uint64_t numerics = 0;
  std::uint64_t unused[5] = {};
};
static_assert(sizeof(Algorithm) == 64);

struct HeuristicResult {
  Algorithm algo;
  std::size_t workspaceSize;
  int state;
  float wavesCount;
  int reserved[4];
};
static_assert(sizeof(HeuristicResult) == 96);

Version version() { return version_or({13, 1, 0}); }

bool has_block_scales() { return version().major > 12 || (version().major == 12 && version().minor >= 8); }

std::optional<Element> element_of(int type) {
  if (type == CUDA_R_32F) return Element::fp32;
  if (type == CUDA_R_64F) return Element::fp64;
  if (type == CUDA_R_16F) return Element::fp16;
  if (type == CUDA_R_16BF) return Element::bf16;
  const bool has_fp8 = version().major > 11 || version().minor >= 8;
  if (type == CUDA_R_8F_E4M3 && has_fp8) return Element::fp8;
  if (type == CUDA_R_4F_E2M1 && has_block_scales()) return Element::fp4;
  return std::nullopt;
}

bool is_supported(const Matmul& m) {
  const std::string type = m.type();
  if (type.empty() || has_fault("not-supported", type) || !device_has(Vendor::nvidia, m)) return false;
  if (has_fault("small-only", type) && m.depth() > 256) return false;
  // 4-bit numbers are supported with the scales of NVFP4 only.
  if (type == "mxfp4" || !scales_are_whole(m)) return false;
  return type != "fp8" || fp8_is_aligned(m);
}

/** As reported by cuBLASLt 13.1 on an H200. The last algorithm deviates from the arithmetic of the type. */
std::uint64_t numerics_of(const std::string& type, int index) {
  const bool last = index == kProposalCount - 1;
  if (type == "fp64") return 0x100408;
  if (type == "fp32" || type == "tf32") return (type == "fp32") != last ? 0x80201 : index % 2 ? 0x40201 : 0x40202;
  return 0x10202;
}

const Algorithm* own(const void* algo) {
  const auto* algorithm = static_cast<const Algorithm*>(algo);
  return algorithm && algorithm->mark == kAlgorithmMark && algorithm->index >= 0 && algorithm->index < kProposalCount
             ? algorithm
             : nullptr;
}

int give(std::uint64_t value, std::size_t size, void* buf, std::size_t bytes, std::size_t* written) {
  if (!buf || bytes != size) return kInvalid;
  std::memcpy(buf, &value, size);
  if (written) *written = size;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

GPUMARK_SIM_EXPORT int gpumark_simulated_library;
int gpumark_simulated_library = 1;

GPUMARK_SIM_EXPORT int cublasLtCreate(void** handle) {
  talker.called();
  // The result of a new library on an old driver.
  if (has_fault("create-fails")) return CUBLAS_STATUS_NOT_INITIALIZED;
  return create(handle, Library{}, kInvalid);
}
GPUMARK_SIM_EXPORT int cublasLtDestroy(void* handle) { return destroy<Library>(handle, CUBLAS_STATUS_NOT_INITIALIZED); }

GPUMARK_SIM_EXPORT int cublasLtGetProperty(int type, int* value) {
  const Version v = version();
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return kInvalid;
  *value = type == MAJOR_VERSION ? v.major : type == MINOR_VERSION ? v.minor : v.patch;
  return CUBLAS_STATUS_SUCCESS;
}

GPUMARK_SIM_EXPORT int cublasLtMatmulDescCreate(void** desc, int compute, int scale) {
  OperationDescriptor made;
  made.double_scale = scale == CUDA_R_64F;
  const bool single = scale == CUDA_R_32F;
  if (single && (compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC))
    made.operation = Operation{Arithmetic::fp32};
  if (single && compute == CUBLAS_COMPUTE_32F_FAST_TF32) made.operation = Operation{Arithmetic::tf32};
  if (made.double_scale && compute == CUBLAS_COMPUTE_64F) made.operation = Operation{Arithmetic::fp64};
  return create(desc, std::move(made), kInvalid);
}
GPUMARK_SIM_EXPORT int cublasLtMatmulDescDestroy(void* desc) { return destroy<OperationDescriptor>(desc, kInvalid); }

GPUMARK_SIM_EXPORT int cublasLtMatmulDescSetAttribute(void* desc, int attr, const void* buf, std::size_t bytes) {
  const auto descriptor = handles<OperationDescriptor>().find(desc);
  if (!descriptor || !buf) return kInvalid;
  if (attr == CUBLASLT_MATMUL_DESC_FAST_ACCUM) {
    if (bytes != 1) return kInvalid;
    descriptor->fast_accumulation = *static_cast<const signed char*>(buf) != 0;
    return CUBLAS_STATUS_SUCCESS;
  }
  if (has_block_scales()) {
    const auto set = set_scales(*descriptor, attr, buf, bytes, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER,
                                CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, CUBLASLT_MATMUL_DESC_A_SCALE_MODE,
                                CUBLASLT_MATMUL_DESC_B_SCALE_MODE);
    if (set) return *set ? CUBLAS_STATUS_SUCCESS : kInvalid;
  }
  const auto value = word(buf, bytes);
  if (!value || (attr != CUBLASLT_MATMUL_DESC_TRANSA && attr != CUBLASLT_MATMUL_DESC_TRANSB) ||
      (*value != CUBLAS_OP_N && *value != CUBLAS_OP_T))
    return kInvalid;
  if (!descriptor->operation) return CUBLAS_STATUS_SUCCESS;
  (attr == CUBLASLT_MATMUL_DESC_TRANSA ? descriptor->operation->transpose_a : descriptor->operation->transpose_b) =
      *value == CUBLAS_OP_T;
  return CUBLAS_STATUS_SUCCESS;
}

GPUMARK_SIM_EXPORT int cublasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows, std::uint64_t columns,
                                                  std::int64_t leading) {
  const auto element = element_of(type);
  return element ? create(layout, Layout{*element, rows, columns, leading}, kInvalid) : kInvalid;
}
GPUMARK_SIM_EXPORT int cublasLtMatrixLayoutDestroy(void* layout) { return destroy<Layout>(layout, kInvalid); }

GPUMARK_SIM_EXPORT int cublasLtMatmulPreferenceCreate(void** preference) {
  return create(preference, Preference{}, kInvalid);
}
GPUMARK_SIM_EXPORT int cublasLtMatmulPreferenceDestroy(void* preference) {
  return destroy<Preference>(preference, kInvalid);
}
GPUMARK_SIM_EXPORT int cublasLtMatmulPreferenceSetAttribute(void* preference, int attr, const void* buf,
                                                            std::size_t bytes) {
  const auto wanted = handles<Preference>().find(preference);
  if (!wanted || attr != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES || !buf || bytes != 8) return kInvalid;
  std::memcpy(&wanted->max_workspace, buf, 8);
  return CUBLAS_STATUS_SUCCESS;
}

GPUMARK_SIM_EXPORT int cublasLtMatmulAlgoGetHeuristic(void* handle, void* desc, void* a, void* b, void* c, void* d,
                                                      void* preference, int wanted, HeuristicResult* results,
                                                      int* returned) {
  if (!handles<Library>().find(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto limits = handles<Preference>().find(preference);
  const auto matmul = put_together(desc, a, b, c, d);
  if (!limits || !results || !returned || wanted <= 0) return kInvalid;
  if (!matmul || !is_supported(*matmul)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!matmul->fits()) return kInvalid;
  *returned = 0;
  if (has_fault("no-heuristics", matmul->type())) return CUBLAS_STATUS_SUCCESS;
  const int count = has_fault("one-proposal") ? 1 : kProposalCount;
  for (int i = 0; i < count && *returned < wanted; ++i) {
    const Proposal& proposal = kProposals[i];
    if (proposal.workspace_bytes > limits->max_workspace) continue;
    Algorithm algorithm{.index = proposal.repeats < 0 ? i : proposal.repeats,
                        .id = proposal.id,
                        .numerics = numerics_of(matmul->type(), i)};
    results[(*returned)++] = {algorithm,
                              proposal.workspace_bytes,
                              proposal.fails ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS,
                              1.5f,
                              {}};
  }
  return CUBLAS_STATUS_SUCCESS;
}

GPUMARK_SIM_EXPORT int cublasLtMatmulAlgoConfigGetAttribute(const void* algo, int attr, void* buf, std::size_t bytes,
                                                            std::size_t* written) {
  const Algorithm* algorithm = own(algo);
  if (!algorithm) return kInvalid;
  if (attr == CUBLASLT_ALGO_CONFIG_ID) return give(static_cast<std::uint64_t>(algorithm->id), 4, buf, bytes, written);
  if (attr == CUBLASLT_ALGO_CONFIG_TILE_ID)
    return give(20 + static_cast<std::uint64_t>(algorithm->index), 4, buf, bytes, written);
  if (attr == CUBLASLT_ALGO_CONFIG_SPLITK_NUM) return give(1, 4, buf, bytes, written);
  if (attr > CUBLASLT_ALGO_CONFIG_SPLITK_NUM && attr <= CUBLASLT_ALGO_CONFIG_STAGES_ID)
    return give(0, 4, buf, bytes, written);
  // Both were added in version 12.
  if ((attr == CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID || attr == CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID) &&
      version().major >= 12)
    return give(2, 2, buf, bytes, written);
  return kInvalid;
}

GPUMARK_SIM_EXPORT int cublasLtMatmulAlgoCapGetAttribute(const void* algo, int attr, void* buf, std::size_t bytes,
                                                         std::size_t* written) {
  const Algorithm* algorithm = own(algo);
  return algorithm && attr == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS ? give(algorithm->numerics, 8, buf, bytes, written)
                                                                     : kInvalid;
}

GPUMARK_SIM_EXPORT int cublasLtMatmul(void* handle, void* desc, const void* alpha, std::uint64_t a, void* a_layout,
                                      std::uint64_t b, void* b_layout, const void* beta, std::uint64_t c,
                                      void* c_layout, std::uint64_t d, void* d_layout, const void* algo,
                                      std::uint64_t workspace, std::size_t workspace_bytes, void* stream) {
  if (!handles<Library>().find(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto matmul = put_together(desc, a_layout, b_layout, c_layout, d_layout);
  const Algorithm* algorithm = own(algo);
  if (!matmul || !algorithm || !alpha || !beta || !a || !b || !d || !matmul->fits()) return kInvalid;
  if (!is_supported(*matmul)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (workspace_bytes < kProposals[algorithm->index].workspace_bytes || (workspace_bytes > 0 && workspace == 0))
    return kInvalid;
  if (has_fault("fails-to-run", matmul->type())) return CUBLAS_STATUS_EXECUTION_FAILED;
  const auto descriptor = handles<OperationDescriptor>().find(desc);
  const MatmulArguments arguments{
      scalar(*descriptor, alpha), scalar(*descriptor, beta), a, b, c, d, workspace, workspace_bytes, algorithm->index};
  return submit_matmul(stream, *matmul, arguments) == kOk ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace gpumark::sim::blas
