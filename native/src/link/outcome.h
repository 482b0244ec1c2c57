// How a dial or a slot ended, with the protocol's status and stage names.
#pragma once
#include <string>

namespace gpumark::link {

/** unreachable: no TCP connection was established; timeout: connected, but the other end did not respond. */
enum class Status { ok, unreachable, refused, auth_failed, timeout, closed, transport_error };
enum class Stage { connect, prove, ping, forward, reverse, report };

struct Outcome {
  Status status = Status::ok;
  Stage stage = Stage::connect;
  /** An errno's name or a code of our own; empty: none. */
  std::string code;
  bool ok() const { return status == Status::ok; }
};

const char* word_of(Status status);
const char* word_of(Stage stage);
/** "ECONNRESET"; "E104" for a number that is not in the table. */
std::string errno_name(int error);
/** Outcome of a failed connection attempt. */
Outcome connect_failure(int error);
/** Outcome of a broken connection; 0: orderly close by the peer. */
Outcome broken(Stage stage, int error);
Outcome timed_out(Stage stage);
/** Outcome if cancelled, or if the process is about to end. */
Outcome cancelled(Stage stage);

}  // namespace gpumark::link
