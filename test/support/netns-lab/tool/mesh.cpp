#include <poll.h>

#include <cstdio>
#include <vector>

#include "echo.h"
#include "tool.h"

namespace {
constexpr int kAgainMs = 100;

struct Host {
  EchoSocket echo;
  std::string address;
  std::vector<bool> answered;
};

std::vector<Host> hostsOf(const Words& words) {
  std::vector<Host> hosts;
  hosts.reserve(words.size());
  for (size_t at = 1; at < words.size(); ++at) {
    const size_t equals = words[at].find('=');
    if (equals == std::string::npos) fail("not NETNS=ADDRESS: " + words[at]);
    hosts.push_back({EchoSocket(words[at].substr(0, equals)), words[at].substr(equals + 1), std::vector<bool>(words.size() - 1)});
    hosts.back().answered[at - 1] = true;
  }
  return hosts;
}

size_t askAgain(const std::vector<Host>& hosts) {
  size_t silent = 0;
  for (const Host& host : hosts) {
    for (size_t peer = 0; peer < hosts.size(); ++peer) {
      if (host.answered[peer]) continue;
      host.echo.send(hosts[peer].address, static_cast<uint16_t>(peer));
      ++silent;
    }
  }
  return silent;
}

void listen(std::vector<Host>& hosts, Clock::time_point until) {
  std::vector<pollfd> waiting;
  for (const Host& host : hosts) waiting.push_back({host.echo.socket(), POLLIN, 0});
  for (;;) {
    const auto left = std::chrono::duration_cast<Milliseconds>(until - Clock::now()).count();
    if (left <= 0 || poll(waiting.data(), waiting.size(), static_cast<int>(left)) <= 0) return;
    for (Host& host : hosts) {
      for (int peer = host.echo.take(); peer >= 0; peer = host.echo.take()) {
        if (static_cast<size_t>(peer) < hosts.size()) host.answered[static_cast<size_t>(peer)] = true;
      }
    }
  }
}
}  // namespace

/// mesh TIMEOUT_MS NETNS=ADDRESS... : pings every host from every other in parallel and lists pairs without an answer
/// -> {"hosts","silent":[[from,to],...]}.
int mesh(const Words& words) {
  if (words.size() < 3) fail("mesh takes a timeout and two hosts or more");
  std::vector<Host> hosts = hostsOf(words);
  const auto deadline = Clock::now() + Milliseconds(wholeNumber(words[0]));
  while (askAgain(hosts) > 0 && Clock::now() < deadline) listen(hosts, Clock::now() + Milliseconds(kAgainMs));
  std::printf("{\"hosts\":%zu,\"silent\":[", hosts.size());
  const char* comma = "";
  for (size_t from = 0; from < hosts.size(); ++from) {
    for (size_t to = 0; to < hosts.size(); ++to) {
      if (hosts[from].answered[to]) continue;
      std::printf("%s[%zu,%zu]", comma, from, to);
      comma = ",";
    }
  }
  std::printf("]}\n");
  return 0;
}
