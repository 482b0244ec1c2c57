#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>

#include "tool.h"

namespace {
const char* outcomeOf(int error) {
  if (error == 0) return "connected";
  return error == ECONNREFUSED ? "refused" : "unreachable";
}
}  // namespace

/// dial NETNS>NETNS=ADDRESS TIMEOUT_MS: tries a TCP connection to a listener that it opens
/// -> {"outcome":"connected|refused|unreachable|timeout"}.
int dial(const Words& words) {
  const size_t arrow = words.empty() ? std::string::npos : words[0].find('>');
  const size_t equals = words.empty() ? std::string::npos : words[0].find('=');
  if (words.size() != 2 || arrow == std::string::npos || equals == std::string::npos) fail("dial takes NETNS>NETNS=ADDRESS and a timeout");
  const int listener = socketIn(words[0].substr(arrow + 1, equals - arrow - 1), AF_INET, SOCK_STREAM, 0);
  sockaddr_in there = addressOf(words[0].substr(equals + 1), 0);
  socklen_t size = sizeof there;
  if (bind(listener, reinterpret_cast<const sockaddr*>(&there), size) != 0 || ::listen(listener, 4) != 0) fail("listen");
  if (getsockname(listener, reinterpret_cast<sockaddr*>(&there), &size) != 0) fail("getsockname");
  const int dialer = socketIn(words[0].substr(0, arrow), AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const char* outcome = "timeout";
  if (connect(dialer, reinterpret_cast<const sockaddr*>(&there), size) == 0) {
    outcome = outcomeOf(0);
  } else if (errno != EINPROGRESS) {
    outcome = outcomeOf(errno);
  } else {
    pollfd waiting{dialer, POLLOUT, 0};
    if (poll(&waiting, 1, wholeNumber(words[1])) > 0) {
      int error = 0;
      size = sizeof error;
      getsockopt(dialer, SOL_SOCKET, SO_ERROR, &error, &size);
      outcome = outcomeOf(error);
    }
  }
  std::printf("{\"outcome\":\"%s\"}\n", outcome);
  return 0;
}
