// The libraries' words for their statuses.
#include <map>

#include "gpu/gemm/cublaslt-values.h"
#include "gpu/gemm/hipblaslt-values.h"
#include "gpu/gemm/vendor-library.h"

namespace gpumark {
namespace {

const std::map<int, const char*>& cublaslt_statuses() {
  using namespace cublaslt;
  static const std::map<int, const char*> names = {{kSuccess, "SUCCESS"},
                                                   {kNotInitialized, "NOT_INITIALIZED"},
                                                   {kAllocationFailed, "ALLOC_FAILED"},
                                                   {kInvalidValue, "INVALID_VALUE"},
                                                   {kArchitectureMismatch, "ARCH_MISMATCH"},
                                                   {kMappingError, "MAPPING_ERROR"},
                                                   {kExecutionFailed, "EXECUTION_FAILED"},
                                                   {kInternalError, "INTERNAL_ERROR"},
                                                   {kNotSupported, "NOT_SUPPORTED"},
                                                   {kLicenseError, "LICENSE_ERROR"}};
  return names;
}

const std::map<int, const char*>& hipblaslt_statuses() {
  using namespace hipblaslt;
  static const std::map<int, const char*> names = {{kSuccess, "SUCCESS"},
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
                                                   {kUnknown, "UNKNOWN"}};
  return names;
}

}  // namespace

std::string VendorLibrary::status_name(int status) const {
  const auto& names = is_nvidia() ? cublaslt_statuses() : hipblaslt_statuses();
  const auto found = names.find(status);
  const std::string beginning = is_nvidia() ? "CUBLAS_STATUS_" : "HIPBLAS_STATUS_";
  return found == names.end() ? "a status without a name" : beginning + found->second;
}

}  // namespace gpumark
