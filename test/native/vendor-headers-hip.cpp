// The same for HIP, whose header cannot be included together with cuda.h.
#if __has_include(<hip/hip_runtime_api.h>)
#include <hip/hip_runtime_api.h>

#include "gpu/driver-table.h"
#include "gpu/driver.h"
#include "vendor-headers.h"
#pragma message("compared with hip_runtime_api.h")
#define SAME(member, function) GPUMARK_SAME(DriverTable, member, function)
SAME(init, hipInit);
SAME(driver_version, hipRuntimeGetVersion);
SAME(device_count, hipGetDeviceCount);
SAME(device_get, hipDeviceGet);
SAME(device_name, hipDeviceGetName);
SAME(device_uuid, hipDeviceGetUuid);
SAME(device_pci_id, hipDeviceGetPCIBusId);
SAME(device_attribute, hipDeviceGetAttribute);
SAME(device_memory, hipDeviceTotalMem);
SAME(memory_info, hipMemGetInfo);
// hipMalloc, hipHostMalloc and hipEventCreateWithFlags have C++ overloads beside them: the C one is meant.
static_assert(
    gpumark::headers::SameCall<decltype(gpumark::DriverTable::allocate), hipError_t (*)(void**, size_t)>::value);
static_assert(static_cast<hipError_t (*)(void**, size_t)>(&hipMalloc) != nullptr);
SAME(release, hipFree);
static_assert(static_cast<hipError_t (*)(void**, size_t, unsigned)>(&hipHostMalloc) != nullptr);
SAME(release_host, hipHostFree);
SAME(host_address, hipHostGetDevicePointer);
SAME(fill_bytes, hipMemsetD8Async);
SAME(stream_create, hipStreamCreateWithFlags);
SAME(stream_destroy, hipStreamDestroy);
SAME(stream_wait, hipStreamSynchronize);
SAME(stream_wait_event, hipStreamWaitEvent);
SAME(event_create, hipEventCreateWithFlags);
SAME(event_destroy, hipEventDestroy);
SAME(event_record, hipEventRecord);
SAME(event_query, hipEventQuery);
SAME(event_wait, hipEventSynchronize);
SAME(event_elapsed, hipEventElapsedTime);
SAME(module_load, hipModuleLoadData);
SAME(module_unload, hipModuleUnload);
SAME(module_function, hipModuleGetFunction);
SAME(launch, hipModuleLaunchKernel);
SAME(capture_begin, hipStreamBeginCapture);
SAME(capture_end, hipStreamEndCapture);
SAME(graph_destroy, hipGraphDestroy);
SAME(graph_launch, hipGraphLaunch);
SAME(graph_release, hipGraphExecDestroy);
SAME(graph_instantiate, hipGraphInstantiateWithFlags);
SAME(can_access_peer, hipDeviceCanAccessPeer);
SAME(copy_to_device, hipMemcpyHtoDAsync);
SAME(copy_to_host, hipMemcpyDtoHAsync);
#undef SAME
#define SAME(member, function) GPUMARK_SAME(HipCalls, member, function)
SAME(hip_set_device, hipSetDevice);
SAME(hip_enable_peer, hipDeviceEnablePeerAccess);
SAME(hip_copy_peer, hipMemcpyPeerAsync);
SAME(hip_link_type, hipExtGetLinkTypeAndHopCount);
#undef SAME
namespace gpumark {
static_assert(kHipAttributes.multiprocessors == hipDeviceAttributeMultiprocessorCount &&
              kHipAttributes.clock_khz == hipDeviceAttributeClockRate);
static_assert(kHipAttributes.memory_clock_khz == hipDeviceAttributeMemoryClockRate &&
              kHipAttributes.memory_bus_bits == hipDeviceAttributeMemoryBusWidth);
static_assert(kHipAttributes.l2_bytes == hipDeviceAttributeL2CacheSize &&
              kHipAttributes.capability_major == hipDeviceAttributeComputeCapabilityMajor);
static_assert(kHipAttributes.capability_minor == hipDeviceAttributeComputeCapabilityMinor &&
              kHipAttributes.integrated == hipDeviceAttributeIntegrated);
// Not yet in 5.2, which answers a question for it with an error.
#if HIP_VERSION >= 50700000
static_assert(kHipAttributes.timer_khz == hipDeviceAttributeWallClockRate);
#endif
static_assert(gpu_code::kOutOfMemory == hipErrorOutOfMemory && gpu_code::kNoDevice == hipErrorNoDevice &&
              gpu_code::kInvalidDevice == hipErrorInvalidDevice);
static_assert(gpu_code::kNoBinary == hipErrorNoBinaryForGpu &&
              gpu_code::kEccUncorrectable == hipErrorECCNotCorrectable && gpu_code::kNotFound == hipErrorNotFound);
static_assert(gpu_code::kPeerAlreadyEnabled == hipErrorPeerAccessAlreadyEnabled &&
              gpu_code::kInsufficientDriver == hipErrorInsufficientDriver);
}  // namespace gpumark
#endif
