#pragma once
#include <string>
#include <vector>

#include "backends/backend.h"

namespace gpumark {

/** What the program is asked for; `collective` in its three forms. */
enum class Command {
  list,
  tables,
  registry,
  version,
  help,
  run,
  matrix,
  self_test,
  link,
  collective_probe,
  collective_id,
  collective,
  usage_error
};

/** Of `collective` alone, beside the memory limit and the root of RunOptions. */
struct CollectiveOptions {
  /** A GPU backend; that of the first vendor if none is named. */
  std::string backend;
  /** Of the whole job, of this node's first device, and devices of this node; 0: all that it has. */
  int ranks = 0, first_rank = -1, devices = 0;
  double deadline_seconds = 0;
};

struct CommandLine {
  Command command = Command::usage_error;
  /** cpu, a GPU backend, or device ids with commas between. */
  std::string device = "cpu";
  RunOptions options;
  /** Of link: transfers with public addresses may be made. */
  bool allow_public = false;
  CollectiveOptions collective;
  /** For usage_error: what was wrong. */
  std::string problem;
};

CommandLine parse_command_line(const std::vector<std::string>& arguments);
/** The commands and their options, from the same table that parses them. */
std::string usage_text();

}  // namespace gpumark
