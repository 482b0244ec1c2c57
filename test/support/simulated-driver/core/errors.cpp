#include "core/errors.h"

namespace gpumark::sim {
namespace {

struct Name {
  int code;
  const char* cuda;
  const char* hip;
};

constexpr Name kNames[] = {
    {kOk, "CUDA_SUCCESS", "hipSuccess"},
    {kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue"},
    {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory"},
    {kNotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "hipErrorNotInitialized"},
    {kInsufficientDriver, nullptr, "hipErrorInsufficientDriver"},
    {kNoDevice, "CUDA_ERROR_NO_DEVICE", "hipErrorNoDevice"},
    {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "hipErrorInvalidDevice"},
    {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE", "hipErrorInvalidImage"},
    {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "hipErrorInvalidContext"},
    {kNoBinary, "CUDA_ERROR_NO_BINARY_FOR_GPU", "hipErrorNoBinaryForGpu"},
    {kEccUncorrectable, "CUDA_ERROR_ECC_UNCORRECTABLE", "hipErrorECCNotCorrectable"},
    {kPeerUnsupported, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "hipErrorPeerAccessUnsupported"},
    {kInvalidPtx, "CUDA_ERROR_INVALID_PTX", "hipErrorInvalidKernelFile"},
    {kUnsupportedPtx, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", nullptr},
    {kInvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "hipErrorInvalidHandle"},
    {kNotFound, "CUDA_ERROR_NOT_FOUND", "hipErrorNotFound"},
    {kNotReady, "CUDA_ERROR_NOT_READY", "hipErrorNotReady"},
    {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS", "hipErrorIllegalAddress"},
    {kLaunchOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "hipErrorLaunchOutOfResources"},
    {kPeerAlreadyEnabled, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "hipErrorPeerAccessAlreadyEnabled"},
    {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "hipErrorLaunchFailure"},
    {kNotSupported, "CUDA_ERROR_NOT_SUPPORTED", "hipErrorNotSupported"},
    {kDriverMismatch, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", nullptr},
    {kCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "hipErrorStreamCaptureUnsupported"},
    {kCaptureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "hipErrorStreamCaptureInvalidated"},
    {kCaptureUnmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "hipErrorStreamCaptureUnmatched"},
    {kCaptureIsolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "hipErrorStreamCaptureIsolation"},
    {kCaptureImplicit, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "hipErrorStreamCaptureImplicit"},
    {kCapturedEvent, "CUDA_ERROR_CAPTURED_EVENT", "hipErrorCapturedEvent"},
    {kCaptureWrongThread, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "hipErrorStreamCaptureWrongThread"},
    {kUnknown, "CUDA_ERROR_UNKNOWN", "hipErrorUnknown"},
};

}  // namespace

const char* error_name(Vendor vendor, int code) {
  for (const Name& name : kNames) {
    if (name.code == code) return vendor == Vendor::nvidia ? name.cuda : name.hip;
  }
  return nullptr;
}

}  // namespace gpumark::sim
