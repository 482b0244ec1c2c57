#pragma once
#include <string>
#include <vector>

#include "backends/backend.h"
#include "collective/collective-options.h"

namespace gpumark {

enum class Command { list, registry, run, matrix, self_test, link, collective, version, help, usage_error };

struct CommandLine {
  Command command = Command::usage_error;
  /** cpu, cuda, rocm, or device ids with commas between. */
  std::string device = "cpu";
  RunOptions options;
  /** Of link: transfers with public addresses may be made. */
  bool allow_public = false;
  CollectiveOptions collective;
  /** For usage_error: what was wrong. */
  std::string problem;
};

CommandLine parse_command_line(const std::vector<std::string>& arguments);
const char* usage_text();

}  // namespace gpumark
