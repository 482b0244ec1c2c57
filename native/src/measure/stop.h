// What makes the runner finish its current slice and report what it has: SIGINT, SIGTERM, and a reader of stdout that
// went away.
#pragma once

namespace gpumark {

/** Installs the handlers and ignores SIGPIPE, so that a vanished reader shows up as a failed write. */
void install_stop_handlers();
/** The signal that asked to stop, or 0. */
int stop_signal();
/**
 * Asks to stop once the other end of this pipe, socket or terminal is closed. A file is never closed so: a run into one
 * goes on.
 */
void stop_when_reader_leaves(int file_descriptor);
/** Nothing said from now on arrives. */
void lose_output();
bool output_lost();
bool stop_requested();

}  // namespace gpumark
