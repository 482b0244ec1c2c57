#include "collective/settings.h"

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <ifaddrs.h>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace gpumark::sim::collective {
namespace {

constexpr const char* kFaultKinds[] = {"id-error", "init-error", "wrong-sum", "wrong-copy",
                                       "slow",     "leave",      "stall",     "waits"};

struct Fault {
  std::string kind, value;
  int rank = -1;
};

/** As in core/settings.cpp: an invalid setting must not be ignored. */
[[noreturn]] void refuse(const char* variable, const std::string& value) {
  std::fprintf(stderr, "simulated collective library: %s=%s is not a valid value\n", variable, value.c_str());
  _exit(99);
}

const char* text(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? value : nullptr;
}

std::vector<Fault> read_faults() {
  std::vector<Fault> faults;
  const char* list = text("GPUMARK_SIM_COLLECTIVE_FAULT");
  std::stringstream stream(list ? list : "");
  for (std::string entry; std::getline(stream, entry, ',');) {
    Fault one;
    const std::size_t colon = entry.find(':');
    if (colon != std::string::npos) one.value = entry.substr(colon + 1);
    const std::string head = entry.substr(0, colon);
    const std::size_t at = head.find('@');
    one.kind = head.substr(0, at);
    if (at != std::string::npos) {
      char* end = nullptr;
      one.rank = static_cast<int>(std::strtol(head.c_str() + at + 1, &end, 10));
      if (*end != '\0' || end == head.c_str() + at + 1) refuse("GPUMARK_SIM_COLLECTIVE_FAULT", entry);
    }
    bool known = false;
    for (const char* kind : kFaultKinds) known = known || one.kind == kind;
    if (!known) refuse("GPUMARK_SIM_COLLECTIVE_FAULT", entry);
    faults.push_back(one);
  }
  return faults;
}

}  // namespace

int version_code() {
  const char* given = text("GPUMARK_SIM_COLLECTIVE_VERSION");
  int major = 2, minor = 27, patch = 3;
  char rest = 0;
  if (given && std::sscanf(given, "%d.%d.%d%c", &major, &minor, &patch, &rest) != 3)
    refuse("GPUMARK_SIM_COLLECTIVE_VERSION", given);
  return major * (major <= 2 && minor <= 8 ? 1000 : 10000) + minor * 100 + patch;
}

std::string own_address() {
  const char* wanted = text("NCCL_SOCKET_IFNAME");
  ifaddrs* interfaces = nullptr;
  if (!wanted || getifaddrs(&interfaces) != 0) return "127.0.0.1";
  char found[INET_ADDRSTRLEN] = "";
  for (const ifaddrs* one = interfaces; one; one = one->ifa_next) {
    if (*found || wanted != std::string(one->ifa_name) || !one->ifa_addr || one->ifa_addr->sa_family != AF_INET)
      continue;
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr, found, sizeof found);
  }
  freeifaddrs(interfaces);
  if (!*found) refuse("NCCL_SOCKET_IFNAME", wanted);
  return found;
}

double pace() {
  const char* given = text("GPUMARK_SIM_COLLECTIVE_GBS");
  if (!given) return 0;
  char* end = nullptr;
  const double gbs = std::strtod(given, &end);
  if (*end != '\0' || !(gbs > 0)) refuse("GPUMARK_SIM_COLLECTIVE_GBS", given);
  return gbs * 1e9;
}

void log_line(const std::string& line) {
  const char* path = text("GPUMARK_SIM_COLLECTIVE_LOG");
  if (!path) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const std::string whole = line + "\n";
  if (file < 0 || write(file, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()))
    refuse("GPUMARK_SIM_COLLECTIVE_LOG", path);
  close(file);
}

std::optional<std::string> fault(const char* kind, int rank) {
  static const std::vector<Fault>* const faults = new std::vector<Fault>(read_faults());
  for (const Fault& one : *faults) {
    if (one.kind == kind && (one.rank < 0 || one.rank == rank)) return one.value;
  }
  return std::nullopt;
}

}  // namespace gpumark::sim::collective
