#pragma once
#include <string>
#include <vector>

#include "backends/backend.h"

namespace gpumark {

/** The commands of the program; `collective` has three forms. */
enum class Command {
  list,
  tables,
  registry,
  version,
  help,
  run,
  matrix,
  self_test,
  try_kernels,
  link,
  collective_probe,
  collective_id,
  collective,
  usage_error
};

/** Options of `collective` only; it also uses the memory limit and the root of RunOptions. */
struct CollectiveOptions {
  /** A GPU backend; the first vendor's by default. */
  std::string backend;
  /** Number of ranks in the job, rank of this node's first device, and number of devices on this node (0: all). */
  int ranks = 0, first_rank = -1, devices = 0;
  double deadline_seconds = 0;
};

struct CommandLine {
  Command command = Command::usage_error;
  /** cpu, a GPU backend, or comma-separated device ids. */
  std::string device = "cpu";
  RunOptions options;
  /** Of `try-kernels`: names joined by commas. */
  std::string kernels;
  /** Of `link`: allow transfers to and from public addresses. */
  bool allow_public = false;
  CollectiveOptions collective;
  /** For usage_error: the reason. */
  std::string problem;
};

CommandLine parse_command_line(const std::vector<std::string>& arguments);
/** The help text, generated from the same table that parses the options. */
std::string usage_text();

}  // namespace gpumark
