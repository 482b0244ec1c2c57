// The few calls of NCCL and RCCL that are used, declared here and resolved by dlsym. RCCL keeps NCCL's names and
// numbers. A communicator is a pointer, results and enumerations are int, 0 = success. Numbers as in nccl.h 2.4 to 2.30
// and rccl.h.
#pragma once
#include <cstddef>

#include "gpu/driver-table.h"

namespace gpumark {

/** Anyone with these bytes can join the run they belong to: they never appear in a command line, a log or a message. */
struct UniqueId {
  char bytes[128];
};

/**
 * X(member, symbol, parameters). A library that lacks one of them is not used. Buffers are device addresses, counts are
 * in elements.
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
 * Added in NCCL 2.4: null in older versions, which are measured all the same; ending the process is then the only way
 * to abort.
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
  /** Since NCCL 2.13: the last error as text. May be from an earlier call. */
  const char* (*last_error)(Handle communicator) = nullptr;
};

namespace collective {
constexpr int kFloat32 = 7, kFloat64 = 8;
constexpr int kSum = 0, kMax = 2;
/** ncclInProgress: a call on the communicator has not completed; not an error. */
constexpr int kInProgress = 7;
}  // namespace collective

}  // namespace gpumark
