// Stop requests, which make the runner finish its current slice and report what it has: SIGINT, SIGTERM, and the loss
// of the reader of stdout.
#pragma once

namespace gpumark {

/** Installs the handlers and ignores SIGPIPE, so that a lost reader shows up as a failed write. */
void install_stop_handlers();
/** The signal that requested the stop, or 0. */
int stop_signal();
/**
 * Requests a stop once the other end of this pipe, socket or terminal is closed. Never happens for a file, so a run
 * into a file continues.
 */
void stop_when_reader_leaves(int file_descriptor);
/** Marks the output as lost: nothing written from now on arrives. */
void lose_output();
bool output_lost();
bool stop_requested();

}  // namespace gpumark
