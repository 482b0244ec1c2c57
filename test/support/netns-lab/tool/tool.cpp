#include "tool.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

void fail(const std::string& what) {
  std::fprintf(stderr, "lab-tool: %s%s%s\n", what.c_str(), errno != 0 ? ": " : "", errno != 0 ? std::strerror(errno) : "");
  std::exit(1);
}

int socketIn(const std::string& network_namespace, int family, int type, int protocol) {
  const std::string path = "/run/netns/" + network_namespace;
  const int place = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (place < 0) fail(path);
  if (setns(place, CLONE_NEWNET) != 0) fail("setns " + path);
  close(place);
  const int made = socket(family, type | SOCK_CLOEXEC, protocol);
  if (made < 0) fail("socket in " + network_namespace);
  return made;
}

sockaddr_in addressOf(const std::string& numeric, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  errno = 0;
  if (inet_pton(AF_INET, numeric.c_str(), &address.sin_addr) != 1) fail("not an IPv4 address: " + numeric);
  return address;
}

int wholeNumber(const std::string& word) {
  char* end = nullptr;
  const long value = std::strtol(word.c_str(), &end, 10);
  errno = 0;
  if (word.empty() || *end != '\0' || value < 0 || value > 1'000'000'000) fail("not a whole number: " + word);
  return static_cast<int>(value);
}

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

int main(int argc, char** argv) {
  const Words all(argv + 1, argv + argc);
  const std::string command = all.empty() ? "" : all[0];
  const Words words(all.begin() + (all.empty() ? 0 : 1), all.end());
  if (command == "wire") return wire(words);
  if (command == "strangers") return strangers(words);
  // A measurement must show what the cables do, not what else runs on this machine.
  setpriority(PRIO_PROCESS, 0, -20);
  if (command == "ping") return ping(words);
  if (command == "mesh") return mesh(words);
  if (command == "rate") return rate(words);
  if (command == "dial") return dial(words);
  std::fprintf(stderr,
               "usage: lab-tool ping NETNS ADDRESS COUNT INTERVAL_MS\n"
               "       lab-tool mesh TIMEOUT_MS NETNS=ADDRESS...\n"
               "       lab-tool rate WINDOW_MS NETNS>NETNS=ADDRESS...\n"
               "       lab-tool dial NETNS>NETNS=ADDRESS TIMEOUT_MS\n"
               "       lab-tool wire DELAY_US INTERFACE INTERFACE   (until its input ends)\n"
               "       lab-tool strangers NETNS SWITCH_NETNS SECONDS COUNT PORT ADDRESS...\n");
  return 2;
}
