#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <random>

#include "overhear.h"
#include "tool.h"

namespace {
const char* const kKinds[] = {"silent", "http", "junk", "forged", "half", "replayed"};
constexpr size_t kReplayed = 5;
constexpr int kLingerMs = 3000;
constexpr int kReplayAfterMs = 25;

struct Stranger {
  size_t kind;
  int socket;
  Clock::time_point since;
  bool connected = false;
  std::vector<char> says;
};

/// A replay is delayed until the original handshake has reached its destination.
struct Heard {
  Clock::time_point due;
  Overheard said;
};

struct Count {
  int tried = 0, connected = 0, refused = 0, closed = 0, still_open = 0;
  long bytes = 0;
  double longest_ms = 0;
};

std::mt19937 chance(20261121);

std::vector<char> randomBytes(size_t count) {
  std::vector<char> bytes(count);
  for (char& byte : bytes) byte = static_cast<char>(chance());
  return bytes;
}

/// What a kind sends once it is connected; a replay sends the captured handshake instead.
std::vector<char> wordsOf(size_t kind) {
  const std::string http = "GET / HTTP/1.1\r\nHost: 10.77.0.1\r\n\r\n", magic = "GMLINK1\n";
  if (kind == 1) return {http.begin(), http.end()};
  if (kind == 2) return randomBytes(5000);
  if (kind == 3 || kind == 4) {
    std::vector<char> hello = randomBytes(kind == 3 ? 89 : 40);
    std::copy(magic.begin(), magic.end(), hello.begin());
    return hello;
  }
  return {};
}

Stranger come(const std::string& place, size_t kind, const sockaddr_in& to, std::vector<char> says) {
  const int made = socketIn(place, AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  (void)connect(made, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  return {kind, made, Clock::now(), false, std::move(says)};
}

/// @returns true once the connection is closed
bool attend(Stranger& stranger, short events, Count& count) {
  const double open_ms = microsecondsSince(stranger.since) / 1000;
  bool over = open_ms > kLingerMs;
  if (over && stranger.connected) ++count.still_open;
  if (!over && events != 0 && !stranger.connected) {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(stranger.socket, SOL_SOCKET, SO_ERROR, &error, &size);
    stranger.connected = error == 0;
    over = error != 0;
    ++(error == 0 ? count.connected : count.refused);
    if (!over && !stranger.says.empty()) (void)!send(stranger.socket, stranger.says.data(), stranger.says.size(), MSG_NOSIGNAL);
  }
  if (!over && stranger.connected && (events & (POLLIN | POLLHUP | POLLERR)) != 0) {
    char heard[4096];
    const ssize_t size = recv(stranger.socket, heard, sizeof heard, 0);
    if (size > 0) count.bytes += size;
    if (size == 0 || (size < 0 && errno != EAGAIN)) {
      over = true;
      ++count.closed;
      count.longest_ms = std::max(count.longest_ms, open_ms);
    }
  }
  if (over) close(stranger.socket);
  return over;
}

void wait(std::vector<Stranger>& present, int ear, Clock::time_point until, Count* counts) {
  std::vector<pollfd> waiting;
  for (const Stranger& one : present) {
    waiting.push_back({one.socket, static_cast<short>(one.connected ? POLLIN : POLLIN | POLLOUT), 0});
  }
  waiting.push_back({ear, POLLIN, 0});
  const auto left = std::chrono::duration_cast<Milliseconds>(until - Clock::now()).count();
  poll(waiting.data(), waiting.size(), static_cast<int>(std::clamp<long>(left, 0, 50)));
  std::vector<Stranger> staying;
  for (size_t at = 0; at < present.size(); ++at) {
    if (!attend(present[at], waiting[at].revents, counts[present[at].kind])) staying.push_back(std::move(present[at]));
  }
  present.swap(staying);
}
}  // namespace

/// strangers NETNS SWITCH_NETNS SECONDS COUNT PORT ADDRESS... : opens COUNT connections over SECONDS from a host that
/// does not belong to the run; handshakes between others are also captured at the switch and replayed shortly after.
int strangers(const Words& words) {
  if (words.size() < 6) fail("strangers takes 6 arguments or more");
  const double seconds = wholeNumber(words[2]);
  const int count = wholeNumber(words[3]);
  const int ear = openEar(words[1]);
  Count counts[6];
  std::vector<Stranger> present;
  std::deque<Heard> heard;
  const auto start = Clock::now();
  int come_so_far = 0;
  while (come_so_far < count || !present.empty()) {
    const double due = std::min(1.0, microsecondsSince(start) / 1e6 / seconds) * count;
    for (; come_so_far < due; ++come_so_far) {
      const size_t kind = static_cast<size_t>(come_so_far) % kReplayed;
      const std::string& address = words[5 + chance() % (words.size() - 5)];
      ++counts[kind].tried;
      present.push_back(come(words[0], kind, addressOf(address, wholeNumber(words[4])), wordsOf(kind)));
    }
    for (Overheard other; overhear(ear, other);) heard.push_back({Clock::now() + Milliseconds(kReplayAfterMs), other});
    for (; !heard.empty() && heard.front().due <= Clock::now(); heard.pop_front()) {
      if (come_so_far >= count || counts[kReplayed].tried >= count / 5) continue;
      ++counts[kReplayed].tried;
      present.push_back(come(words[0], kReplayed, heard.front().said.to, heard.front().said.bytes));
    }
    wait(present, ear, Clock::now() + Milliseconds(50), counts);
  }
  std::printf("{");
  for (size_t kind = 0; kind <= kReplayed; ++kind) {
    const Count& one = counts[kind];
    std::printf("%s\"%s\":{\"tried\":%d,\"connected\":%d,\"refused\":%d,\"closed\":%d,\"still_open\":%d,\"bytes\":%ld,\"longest_ms\":%.0f}",
                kind == 0 ? "" : ",", kKinds[kind], one.tried, one.connected, one.refused, one.closed, one.still_open, one.bytes,
                one.longest_ms);
  }
  std::printf("}\n");
  return 0;
}
