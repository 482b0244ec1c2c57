// Calls that libraries before 2.4 (for the last error, before 2.13) lack; the old variant is linked without this file.
#include "collective/last-error.h"
#include "collective/library.h"

namespace gpumark::sim::collective {

GPUMARK_SIM_EXPORT int ncclCommAbort(void* handle) {
  const auto communicator = communicators().remove(handle);
  if (!communicator) return kInvalidArgument;
  communicator->abort();
  return kSuccess;
}

GPUMARK_SIM_EXPORT int ncclCommGetAsyncError(void* handle, int* result) {
  const auto communicator = communicators().find(handle);
  if (!communicator || !result) return kInvalidArgument;
  *result = communicator->error();
  return kSuccess;
}

GPUMARK_SIM_EXPORT const char* ncclGetLastError(void*) { return last_error(); }

}  // namespace gpumark::sim::collective
