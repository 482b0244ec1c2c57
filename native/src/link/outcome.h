// How a dial or a slot ended, in the words of the protocol.
#pragma once
#include <string>

namespace gpumark::link {

/** unreachable: no TCP connection came about; timeout: one did, and then the other end was silent. */
enum class Status { ok, unreachable, refused, auth_failed, timeout, closed, transport_error };
enum class Stage { connect, prove, ping, forward, reverse, report };

struct Outcome {
  Status status = Status::ok;
  Stage stage = Stage::connect;
  /** An errno's name or a word of ours; empty: none. */
  std::string code;
  bool ok() const { return status == Status::ok; }
};

const char* word_of(Status status);
const char* word_of(Stage stage);
/** "ECONNRESET"; "E104" for what the table does not know. */
std::string errno_name(int error);
/** Of a connection that did not come about. */
Outcome connect_failure(int error);
/** Of one that broke: 0 is the peer's orderly end. */
Outcome broken(Stage stage, int error);
Outcome timed_out(Stage stage);
/** Cancelled, or the process is about to end. */
Outcome cancelled(Stage stage);

}  // namespace gpumark::link
