// Where events go: stdout, of which nothing else may be written.
#pragma once

namespace gpumark {

/**
 * The file descriptor for events, a copy of stdout; -1 if stdout is closed. From the first call on file descriptor 1 is
 * stderr, since drivers and libraries print to it (NCCL_DEBUG, the logs of cuBLASLt): call it before any is loaded.
 */
int event_output();

}  // namespace gpumark
