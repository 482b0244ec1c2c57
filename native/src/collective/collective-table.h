// The few calls of NCCL and RCCL, declared by us and filled by dlopen. RCCL keeps NCCL's names and numbers. A
// communicator is a pointer, results and enumerations are int, 0 = success. Numbers as nccl.h 2.4 to 2.30 and rccl.h
// have them.
#pragma once
#include <cstddef>

#include "gpu/driver-table.h"

namespace gpumark {

/** Anyone with these bytes can join the run they belong to: never in a command line, a log or a message. */
struct UniqueId {
  char bytes[128];
};

/**
 * X(member, symbol, parameters). A library without one of them is not used. Buffers are device addresses, counts are of
 * elements.
 */
#define GPUMARK_COLLECTIVE_CALLS(X)                                                                         \
  X(get_version, "ncclGetVersion", (int* version))                                                          \
  X(get_unique_id, "ncclGetUniqueId", (UniqueId * id))                                                      \
  X(join, "ncclCommInitRank", (Handle * communicator, int ranks, UniqueId id, int rank))                    \
  X(leave, "ncclCommDestroy", (Handle communicator))                                                        \
  X(all_reduce, "ncclAllReduce",                                                                            \
    (DevicePointer from, DevicePointer to, std::size_t count, int type, int operation, Handle communicator, \
     Handle stream))                                                                                        \
  X(broadcast, "ncclBroadcast",                                                                             \
    (DevicePointer from, DevicePointer to, std::size_t count, int type, int root, Handle communicator, Handle stream))

/**
 * What came with NCCL 2.4: null in older ones, which are measured all the same; the process's end is then their only
 * abort.
 */
#define GPUMARK_COLLECTIVE_NEWER_CALLS(X)          \
  X(abort, "ncclCommAbort", (Handle communicator)) \
  X(async_error, "ncclCommGetAsyncError", (Handle communicator, int* result))

struct CollectiveTable {
#define GPUMARK_MEMBER(member, symbol, parameters) int(*member) parameters = nullptr;
  GPUMARK_COLLECTIVE_CALLS(GPUMARK_MEMBER)
  GPUMARK_COLLECTIVE_NEWER_CALLS(GPUMARK_MEMBER)
#undef GPUMARK_MEMBER
  const char* (*error_string)(int result) = nullptr;
  /** Since NCCL 2.13: what went wrong, in words. May be of an earlier call. */
  const char* (*last_error)(Handle communicator) = nullptr;
};

namespace collective {
constexpr int kFloat32 = 7, kFloat64 = 8;
constexpr int kSum = 0, kMax = 2;
/** Of a communicator whose call is still under way; no error. */
constexpr int kInProgress = 7;
}  // namespace collective

}  // namespace gpumark
