// `gpumark-runner link`: commands on stdin, events on stdout, until stdin ends. Its commands: link/README.md.
#include <poll.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include "commands.h"
#include "link/line-reader.h"
#include "link/link-session.h"
#include "measure/stop.h"

namespace gpumark {
namespace {

/** Between two looks at the stop signal. */
constexpr int kLookMs = 50;
/** Everything ends sooner by itself; this is for a reader of our stdout that has stopped reading. */
constexpr int kLongestEndMs = 900;

std::string congestion_control() {
  std::string name;
  std::ifstream("/proc/sys/net/ipv4/tcp_congestion_control") >> name;
  return name;
}

void serve(link::LinkSession& session, link::LinkEvents& events) {
  link::LineReader reader(0);
  bool more = true;
  while (more && !stop_requested()) {
    pollfd input = {0, POLLIN, 0};
    if (poll(&input, 1, kLookMs) > 0) more = reader.fill();
    for (std::string_view line; reader.next(line);) {
      if (!line.empty()) session.execute(line);
    }
    if (reader.dropped()) events.error("", "a line is longer than 64 KiB");
    session.tidy();
  }
}

}  // namespace

int run_link(const CommandLine& line) {
  Emitter emitter(1);
  stop_when_reader_leaves(1);
  link::LinkEvents events(emitter);
  link::LinkSession session(emitter, line.allow_public);
  events.ready(congestion_control());
  serve(session, events);
  std::thread([] {
    poll(nullptr, 0, kLongestEndMs);
    _exit(output_lost() ? kExitOutputLost : kExitOk);
  }).detach();
  session.stop();
  return output_lost() ? kExitOutputLost : kExitOk;
}

}  // namespace gpumark
