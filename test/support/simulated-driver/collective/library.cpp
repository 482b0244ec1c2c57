// libnccl and librccl: the entry points that the runner requires, with the prototypes of nccl.h.
#include <cstring>
#include <functional>
#include <thread>

#include "collective/bootstrap.h"
#include "collective/library.h"
#include "collective/settings.h"
#include "core/loud.h"
#include "core/memory-map.h"
#include "core/stream.h"

namespace gpumark::sim::collective {
namespace {

/** The same code is libnccl and librccl. */
Talker talker("of collectives");
constexpr int kFloat32 = 7, kFloat64 = 8, kSum = 0, kMax = 2;

/** Joining blocks, so within a group, all joins of a thread run in parallel when the group ends. */
thread_local int depth = 0;
thread_local std::vector<std::function<int()>> joins;

int run_joins() {
  std::vector<std::function<int()>> waiting;
  waiting.swap(joins);
  std::vector<int> results(waiting.size(), kSuccess);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < waiting.size(); ++i) threads.emplace_back([&, i] { results[i] = waiting[i](); });
  for (std::thread& thread : threads) thread.join();
  for (const int result : results) {
    if (result != kSuccess) return result;
  }
  return kSuccess;
}

int join(void** handle, int ranks, const Id& id, int rank) {
  if (fault("init-error", rank)) {
    set_last_error("the simulated network has no interface");
    return kSystemError;
  }
  std::vector<int> sockets = meet(id, rank, ranks);
  if (sockets.empty() && ranks > 1) {
    set_last_error("the creator of the id could not be reached");
    return kRemoteError;
  }
  const auto made = std::make_shared<Communicator>(rank, ranks, std::move(sockets));
  *handle = communicators().add(made);
  return kSuccess;
}

int submit(Work work, void* handle, void* stream_handle) {
  const auto communicator = communicators().find(handle);
  if (!communicator || !stream_handle) return kInvalidArgument;
  const auto stream = static_cast<Stream*>(stream_handle)->shared_from_this();
  Device& device = stream->device();
  Device* none = nullptr;
  // A rank belongs to one device.
  if (!communicator->device.compare_exchange_strong(none, &device) && none != &device) return kInvalidUsage;
  const auto from = memory_map().find(reinterpret_cast<std::uint64_t>(work.from), work.bytes());
  const auto to = memory_map().find(reinterpret_cast<std::uint64_t>(work.to), work.bytes());
  if (!from || !to || from->device() != &device || to->device() != &device) {
    set_last_error("a buffer is not on the communicator's device");
    return kInvalidArgument;
  }
  // Keeps the allocations alive until the work is done.
  const int code = stream->submit({.work = [communicator, from, to, work] {
    communicator->run(work);
    return 0;
  }});
  if (work.is_data() && fault("waits", communicator->rank)) stream->wait();
  return code == 0 ? kSuccess : kUnhandledDriverError;
}

}  // namespace

GPUMARK_SIM_EXPORT int gpumark_simulated_library;
int gpumark_simulated_library = 1;

GPUMARK_SIM_EXPORT int ncclGetVersion(int* version) {
  talker.called();
  *version = version_code();
  return kSuccess;
}

GPUMARK_SIM_EXPORT int ncclGetUniqueId(Id* id) {
  if (fault("id-error", -1)) return kSystemError;
  return id && make_id(*id) ? kSuccess : kSystemError;
}

GPUMARK_SIM_EXPORT int ncclCommInitRank(void** communicator, int ranks, Id id, int rank) {
  if (!communicator || ranks < 1 || rank < 0 || rank >= ranks) return kInvalidArgument;
  joins.push_back([=] { return join(communicator, ranks, id, rank); });
  return depth > 0 ? kSuccess : run_joins();
}

GPUMARK_SIM_EXPORT int ncclCommDestroy(void* communicator) {
  return communicators().remove(communicator) ? kSuccess : kInvalidArgument;
}

GPUMARK_SIM_EXPORT int ncclGroupStart() {
  ++depth;
  return kSuccess;
}
GPUMARK_SIM_EXPORT int ncclGroupEnd() {
  if (depth == 0) return kInvalidUsage;
  return --depth > 0 ? kSuccess : run_joins();
}

GPUMARK_SIM_EXPORT int ncclAllReduce(const void* from, void* to, std::size_t count, int type, int operation,
                                     void* communicator, void* stream) {
  if ((type != kFloat32 && type != kFloat64) || (operation != kSum && operation != kMax)) return kInvalidArgument;
  return submit({Kind::all_reduce, type == kFloat32 ? Element::fp32 : Element::fp64,
                 operation == kSum ? Reduction::sum : Reduction::max, count, static_cast<const unsigned char*>(from),
                 static_cast<unsigned char*>(to)},
                communicator, stream);
}

GPUMARK_SIM_EXPORT int ncclBroadcast(const void* from, void* to, std::size_t count, int type, int root,
                                     void* communicator, void* stream) {
  // Only from rank 0, which has the sockets of all ranks.
  if (type != kFloat32 || root != 0) return kInvalidArgument;
  return submit({Kind::broadcast, Element::fp32, Reduction::sum, count, static_cast<const unsigned char*>(from),
                 static_cast<unsigned char*>(to)},
                communicator, stream);
}

GPUMARK_SIM_EXPORT const char* ncclGetErrorString(int result) {
  switch (result) {
    case kSuccess: return "no error";
    case kUnhandledDriverError: return "unhandled driver error";
    case kSystemError: return "unhandled system error";
    case kInvalidArgument: return "invalid argument";
    case kInvalidUsage: return "invalid usage";
    case kRemoteError: return "remote process exited or there was a network error";
    default: return "unknown result";
  }
}

}  // namespace gpumark::sim::collective
