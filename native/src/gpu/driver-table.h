// The one table of driver entry points, filled by dlopen: libcuda or libamdhip64. The two ABIs agree for this subset:
// handles are pointers, device addresses 64-bit words, devices and results int, 0 = success.
//
// Level Zero would be a vendor like any other, since the benchmarks use only this table and GpuDriver: a driver beside
// vendors/cuda-driver.cpp fills it with functions of its own instead of resolved symbols. A stream becomes an immediate
// command list, an event one of a pool with timestamps, a captured graph a closed command list; kernel arguments are
// set one by one (zeKernelSetArgumentValue), and ours have one, a structure. device/portable.h needs a branch for a
// SPIR-V compiler, images.cpp and images-data.S a row for each image; Sysman goes behind DeviceSensor.
#pragma once
#include <cstddef>
#include <cstdint>

namespace gpumark {

using DevicePointer = std::uint64_t;
using Handle = void*;

/** X(member, CUDA symbol, HIP symbol, parameters). All are required; a library that lacks one is too old. */
#define GPUMARK_DRIVER_CALLS(X)                                                                                  \
  X(init, "cuInit", "hipInit", (unsigned flags))                                                                 \
  X(driver_version, "cuDriverGetVersion", "hipRuntimeGetVersion", (int* version))                                \
  X(device_count, "cuDeviceGetCount", "hipGetDeviceCount", (int* count))                                         \
  X(device_get, "cuDeviceGet", "hipDeviceGet", (int* device, int ordinal))                                       \
  X(device_name, "cuDeviceGetName", "hipDeviceGetName", (char* name, int length, int device))                    \
  X(device_uuid, "cuDeviceGetUuid_v2", "hipDeviceGetUuid", (char uuid[16], int device))                          \
  X(device_pci_id, "cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId", (char* pci_id, int length, int device))        \
  X(device_attribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute", (int* value, int attribute, int device))  \
  X(device_memory, "cuDeviceTotalMem_v2", "hipDeviceTotalMem", (std::size_t * bytes, int device))                \
  X(memory_info, "cuMemGetInfo_v2", "hipMemGetInfo", (std::size_t * free_bytes, std::size_t * total_bytes))      \
  X(allocate, "cuMemAlloc_v2", "hipMalloc", (DevicePointer * memory, std::size_t bytes))                         \
  X(release, "cuMemFree_v2", "hipFree", (DevicePointer memory))                                                  \
  X(allocate_host, "cuMemHostAlloc", "hipHostMalloc", (void** memory, std::size_t bytes, unsigned flags))        \
  X(release_host, "cuMemFreeHost", "hipHostFree", (void* memory))                                                \
  X(host_address, "cuMemHostGetDevicePointer_v2", "hipHostGetDevicePointer",                                     \
    (DevicePointer * address, void* memory, unsigned flags))                                                     \
  X(copy_to_device, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync",                                                \
    (DevicePointer to, const void* from, std::size_t bytes, Handle stream))                                      \
  X(copy_to_host, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync",                                                  \
    (void* to, DevicePointer from, std::size_t bytes, Handle stream))                                            \
  X(fill_bytes, "cuMemsetD8Async", "hipMemsetD8Async",                                                           \
    (DevicePointer to, unsigned char value, std::size_t bytes, Handle stream))                                   \
  X(stream_create, "cuStreamCreate", "hipStreamCreateWithFlags", (Handle * stream, unsigned flags))              \
  X(stream_destroy, "cuStreamDestroy_v2", "hipStreamDestroy", (Handle stream))                                   \
  X(stream_wait, "cuStreamSynchronize", "hipStreamSynchronize", (Handle stream))                                 \
  X(stream_wait_event, "cuStreamWaitEvent", "hipStreamWaitEvent", (Handle stream, Handle event, unsigned flags)) \
  X(event_create, "cuEventCreate", "hipEventCreateWithFlags", (Handle * event, unsigned flags))                  \
  X(event_destroy, "cuEventDestroy_v2", "hipEventDestroy", (Handle event))                                       \
  X(event_record, "cuEventRecord", "hipEventRecord", (Handle event, Handle stream))                              \
  X(event_query, "cuEventQuery", "hipEventQuery", (Handle event))                                                \
  X(event_wait, "cuEventSynchronize", "hipEventSynchronize", (Handle event))                                     \
  X(event_elapsed, "cuEventElapsedTime", "hipEventElapsedTime", (float* milliseconds, Handle begin, Handle end)) \
  X(module_load, "cuModuleLoadData", "hipModuleLoadData", (Handle * module, const void* image))                  \
  X(module_unload, "cuModuleUnload", "hipModuleUnload", (Handle module))                                         \
  X(module_function, "cuModuleGetFunction", "hipModuleGetFunction",                                              \
    (Handle * function, Handle module, const char* name))                                                        \
  X(launch, "cuLaunchKernel", "hipModuleLaunchKernel",                                                           \
    (Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,     \
     unsigned block_z, unsigned shared, Handle stream, void** arguments, void** extra))                          \
  X(capture_begin, "cuStreamBeginCapture_v2", "hipStreamBeginCapture", (Handle stream, int mode))                \
  X(capture_end, "cuStreamEndCapture", "hipStreamEndCapture", (Handle stream, Handle * graph))                   \
  X(graph_destroy, "cuGraphDestroy", "hipGraphDestroy", (Handle graph))                                          \
  X(graph_launch, "cuGraphLaunch", "hipGraphLaunch", (Handle executable, Handle stream))                         \
  X(graph_release, "cuGraphExecDestroy", "hipGraphExecDestroy", (Handle executable))                             \
  X(graph_instantiate, "cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags",                            \
    (Handle * executable, Handle graph, unsigned long long flags))                                               \
  X(can_access_peer, "cuDeviceCanAccessPeer", "hipDeviceCanAccessPeer", (int* can, int device, int peer))

/** Calls that differ between the drivers: used behind the virtual functions of GpuDriver. */
#define GPUMARK_CUDA_CALLS(X)                                                                                         \
  X(cu_error_name, "cuGetErrorName", (int code, const char** name))                                                   \
  X(cu_context_retain, "cuDevicePrimaryCtxRetain", (Handle * context, int device))                                    \
  X(cu_context_release, "cuDevicePrimaryCtxRelease_v2", (int device))                                                 \
  X(cu_context_reset, "cuDevicePrimaryCtxReset_v2", (int device))                                                     \
  X(cu_context_set, "cuCtxSetCurrent", (Handle context))                                                              \
  X(cu_enable_peer, "cuCtxEnablePeerAccess", (Handle peer_context, unsigned flags))                                   \
  X(cu_copy_peer, "cuMemcpyPeerAsync",                                                                                \
    (DevicePointer to, Handle to_context, DevicePointer from, Handle from_context, std::size_t bytes, Handle stream)) \
  X(cu_p2p_attribute, "cuDeviceGetP2PAttribute", (int* value, int attribute, int source, int target))                 \
  X(cu_function_attribute, "cuFuncSetAttribute", (Handle function, int attribute, int value))

/**
 * Calls that not every supported driver has; null if missing. cuTensorMapEncodeTiled came with CUDA 12.0, cuFuncLoad
 * with 12.4; enumerations are int.
 */
#define GPUMARK_CUDA_NEWER_CALLS(X)                                                                                    \
  X(cu_function_load, "cuFuncLoad", (Handle function))                                                                 \
  X(cu_tensor_map_encode, "cuTensorMapEncodeTiled",                                                                    \
    (void* map, int type, std::uint32_t rank, void* address, const std::uint64_t* sizes, const std::uint64_t* strides, \
     const std::uint32_t* box, const std::uint32_t* steps, int interleave, int swizzle, int promotion, int fill))

#define GPUMARK_HIP_CALLS(X)                                                                                  \
  X(hip_set_device, "hipSetDevice", (int device))                                                             \
  X(hip_enable_peer, "hipDeviceEnablePeerAccess", (int peer, unsigned flags))                                 \
  X(hip_copy_peer, "hipMemcpyPeerAsync",                                                                      \
    (DevicePointer to, int to_device, DevicePointer from, int from_device, std::size_t bytes, Handle stream)) \
  X(hip_link_type, "hipExtGetLinkTypeAndHopCount",                                                            \
    (int device, int peer, std::uint32_t* link_type, std::uint32_t* hops))

/**
 * The calls that every driver must provide: GpuContext and the benchmarks use no others. A driver without such exports
 * fills the table with its own equivalents.
 */
struct DriverTable {
#define GPUMARK_MEMBER(member, cuda, hip, parameters) int(*member) parameters = nullptr;
  GPUMARK_DRIVER_CALLS(GPUMARK_MEMBER)
#undef GPUMARK_MEMBER
};

#define GPUMARK_MEMBER(member, symbol, parameters) int(*member) parameters = nullptr;
struct CudaCalls {
  GPUMARK_CUDA_CALLS(GPUMARK_MEMBER)
  GPUMARK_CUDA_NEWER_CALLS(GPUMARK_MEMBER)
};

struct HipCalls {
  GPUMARK_HIP_CALLS(GPUMARK_MEMBER)
  /** Returns the text; CUDA's call returns it through a pointer. */
  const char* (*hip_error_name)(int code) = nullptr;
  /**
   * hipGetDevicePropertiesR0600 (ROCm 6+) or hipGetDeviceProperties: only the architecture's name is read, at whatever
   * offset it is.
   */
  int (*hip_properties)(void* properties, int device) = nullptr;
};
#undef GPUMARK_MEMBER

/** Numbers of the device attributes that are read; -1 = not available from this driver. */
struct GpuAttributes {
  int multiprocessors, clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes, capability_major, capability_minor,
      integrated, timer_khz, shared_bytes;
};
inline constexpr GpuAttributes kCudaAttributes = {16, 13, 36, 37, 38, 75, 76, 18, -1, 97};
/** The same from ROCm 5 to 7. */
inline constexpr GpuAttributes kHipAttributes = {63, 5, 60, 59, 19, 23, 61, 16, 10017, -1};

}  // namespace gpumark
