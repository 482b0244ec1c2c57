// Compares the runner's table with the vendor's header: a parameter of a wrong size or kind would not break any test on
// the simulated driver, which is built from the same table.
#if __has_include(<cuda.h>)
#include <cuda.h>
#include <type_traits>

#include "gpu/driver-table.h"

namespace {

/** Passed in the same way: both are pointers, or both are integers of the same size. */
template <class Ours, class Theirs>
constexpr bool same_parameter = std::is_pointer_v<Ours> ? std::is_pointer_v<Theirs>
                                                        : (std::is_integral_v<Theirs> ||
                                                           std::is_enum_v<Theirs>)&&sizeof(Ours) == sizeof(Theirs);

template <class Ours, class Theirs>
struct SameCall : std::false_type {};
template <class... Ours, class... Theirs>
struct SameCall<int (*)(Ours...), CUresult (*)(Theirs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs)) {
      return (same_parameter<Ours, Theirs> && ...);
    } else {
      return false;
    }
  }();
};

// cuda.h maps the plain names to the versions that the table uses, such as cuMemAlloc to cuMemAlloc_v2.
#define SAME(member, call) \
  static_assert(SameCall<decltype(gpumark::DriverTable::member), decltype(&call)>::value, #call)
SAME(init, cuInit);
SAME(driver_version, cuDriverGetVersion);
SAME(device_count, cuDeviceGetCount);
SAME(device_get, cuDeviceGet);
SAME(device_name, cuDeviceGetName);
SAME(device_uuid, cuDeviceGetUuid_v2);
SAME(device_pci_id, cuDeviceGetPCIBusId);
SAME(device_attribute, cuDeviceGetAttribute);
SAME(device_memory, cuDeviceTotalMem_v2);
SAME(memory_info, cuMemGetInfo_v2);
SAME(allocate, cuMemAlloc_v2);
SAME(release, cuMemFree_v2);
SAME(allocate_host, cuMemHostAlloc);
SAME(release_host, cuMemFreeHost);
SAME(host_address, cuMemHostGetDevicePointer_v2);
SAME(copy_to_device, cuMemcpyHtoDAsync_v2);
SAME(copy_to_host, cuMemcpyDtoHAsync_v2);
SAME(fill_bytes, cuMemsetD8Async);
SAME(stream_create, cuStreamCreate);
SAME(stream_destroy, cuStreamDestroy_v2);
SAME(stream_wait, cuStreamSynchronize);
SAME(stream_wait_event, cuStreamWaitEvent);
SAME(event_create, cuEventCreate);
SAME(event_destroy, cuEventDestroy_v2);
SAME(event_record, cuEventRecord);
SAME(event_query, cuEventQuery);
SAME(event_wait, cuEventSynchronize);
SAME(event_elapsed, cuEventElapsedTime);
SAME(module_load, cuModuleLoadData);
SAME(module_unload, cuModuleUnload);
SAME(module_function, cuModuleGetFunction);
SAME(launch, cuLaunchKernel);
SAME(capture_begin, cuStreamBeginCapture_v2);
SAME(capture_end, cuStreamEndCapture);
SAME(graph_destroy, cuGraphDestroy);
SAME(graph_launch, cuGraphLaunch);
SAME(graph_release, cuGraphExecDestroy);
SAME(graph_instantiate, cuGraphInstantiateWithFlags);
SAME(can_access_peer, cuDeviceCanAccessPeer);
#undef SAME
#define SAME(member, call) static_assert(SameCall<decltype(gpumark::CudaCalls::member), decltype(&call)>::value, #call)
SAME(cu_error_name, cuGetErrorName);
SAME(cu_context_retain, cuDevicePrimaryCtxRetain);
SAME(cu_context_release, cuDevicePrimaryCtxRelease_v2);
SAME(cu_context_set, cuCtxSetCurrent);
SAME(cu_enable_peer, cuCtxEnablePeerAccess);
SAME(cu_copy_peer, cuMemcpyPeerAsync);
SAME(cu_p2p_attribute, cuDeviceGetP2PAttribute);
SAME(cu_tensor_map_encode, cuTensorMapEncodeTiled);
#if CUDA_VERSION >= 12040
SAME(cu_function_load, cuFuncLoad);
#endif

}  // namespace
#endif
