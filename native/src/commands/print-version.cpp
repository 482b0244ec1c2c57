#include <cstdio>

#include "commands.h"
#include "cpu/features.h"
#include "cpu/kernels/kernel-set.h"

#ifndef GPUMARK_REVISION
#define GPUMARK_REVISION "unknown"
#endif

namespace gpumark {

int print_version() {
  std::vector<std::string> kernels;
  for (const KernelSet* const* next = usable_kernels(detect_cpu_features()); *next; ++next)
    kernels.push_back((*next)->isa);
  JsonObject version;
  version.text("name", "gpumark-runner").text("revision", GPUMARK_REVISION).text("protocol", kProtocol);
  version.text("compiler", "g++ " __VERSION__);
#if defined(__x86_64__)
  version.text("arch", "x86_64");
#else
  version.text("arch", "aarch64");
#endif
  version.texts("isa", kernels).texts("cpu_features", detect_cpu_features().names());
  std::printf("%s\n", version.str().c_str());
  return std::fflush(stdout) == 0 ? kExitOk : kExitOutputLost;
}

}  // namespace gpumark
