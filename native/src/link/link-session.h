// Executes the commands of one `gpumark-runner link`.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "link/command.h"
#include "link/dial-queue.h"
#include "link/gate.h"
#include "link/slot.h"

namespace gpumark::link {

class LinkSession {
 public:
  LinkSession(Emitter& emitter, bool allow_public);
  /** Executes one line, without its line feed. An invalid command becomes an error event. */
  void execute(std::string_view line);
  /** Removes what has ended. */
  void tidy();
  /** Requests everything to stop; the destructor waits for it. */
  void stop();

 private:
  void listen(Command& command);
  void unlisten(Command& command);
  void accept(Command& command);
  void dial(Command& command);
  void slot(Command& command);
  void say(Command& command);
  void hang_up(Command& command);
  void cancel(Command& command);
  SlotPlan slot_plan(Command& command) const;
  /** Throws if the id is in use. */
  void claim_id(const std::string& id);
  Channel& channel_of(const std::string& id);

  LinkEvents events_;
  const bool allow_public_;
  KeyBook book_;
  Gate gate_;
  DialQueue dials_;
  std::map<std::string, std::unique_ptr<Slot>> slots_;
};

}  // namespace gpumark::link
