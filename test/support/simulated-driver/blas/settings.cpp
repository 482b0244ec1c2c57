#include "blas/settings.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace gpumark::sim::blas {
namespace {

constexpr const char* kFaultKinds[] = {"no-heuristics",     "not-supported", "wrong-result", "create-fails",
                                       "best-is-not-first", "fails-to-run",  "one-proposal", "leaders-do-not-repeat",
                                       "small-only",        "tires"};

struct Fault {
  std::string kind, type;
};

/** As in core/settings.cpp: an invalid setting must not be ignored. */
[[noreturn]] void refuse(const char* variable, const std::string& value) {
  std::fprintf(stderr, "simulated matrix library: %s=%s is not a valid value\n", variable, value.c_str());
  _exit(99);
}

std::vector<Fault> read_faults() {
  std::vector<Fault> faults;
  const char* list = std::getenv("GPUMARK_SIM_BLAS_FAULT");
  std::stringstream stream(list ? list : "");
  for (std::string entry; std::getline(stream, entry, ',');) {
    const std::size_t colon = entry.find(':');
    faults.push_back({entry.substr(0, colon), colon == std::string::npos ? "" : entry.substr(colon + 1)});
    bool known = false;
    for (const char* kind : kFaultKinds) known = known || faults.back().kind == kind;
    if (!known) refuse("GPUMARK_SIM_BLAS_FAULT", entry);
  }
  return faults;
}

}  // namespace

Version version_or(Version usual) {
  const char* text = std::getenv("GPUMARK_SIM_BLAS_VERSION");
  if (!text || !*text) return usual;
  Version version;
  char rest = 0;
  if (std::sscanf(text, "%d.%d.%d%c", &version.major, &version.minor, &version.patch, &rest) != 3)
    refuse("GPUMARK_SIM_BLAS_VERSION", text);
  return version;
}

bool has_fault(const char* kind, const std::string& type) {
  static const std::vector<Fault>* const faults = new std::vector<Fault>(read_faults());
  for (const Fault& fault : *faults) {
    if (fault.kind == kind && (fault.type.empty() || fault.type == type)) return true;
  }
  return false;
}

}  // namespace gpumark::sim::blas
