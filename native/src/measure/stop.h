// SIGINT and SIGTERM ask the runner to finish its current slice and report what it has.
#pragma once

namespace gpumark {

/** Installs the handlers and ignores SIGPIPE, so that a vanished reader shows up as a failed write. */
void install_stop_handlers();
/** The signal that asked to stop, or 0. */
int stop_signal();
inline bool stop_requested() { return stop_signal() != 0; }

}  // namespace gpumark
