#include "command-line.h"

#include <cerrno>
#include <cstdlib>
#include <sstream>

namespace gpumark {
namespace {

bool parse_number(const std::string& text, std::uint64_t max, std::uint64_t& value) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return false;
  errno = 0;
  value = std::strtoull(text.c_str(), nullptr, 10);
  return errno == 0 && value <= max;
}

/** A factor from 0.02 to 1. */
bool parse_scale(const std::string& text, double& value) {
  char* end = nullptr;
  const double scale = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(scale >= 0.02 && scale <= 1)) return false;
  value = scale;
  return true;
}

/** "all" or "a,b,c" in the registry's order; empty on an unknown name, which lands in `problem`. */
std::vector<std::string> parse_benchmarks(const std::string& text, std::string& problem) {
  std::vector<std::string> chosen;
  std::stringstream parts(text);
  std::string names = ",";
  for (std::string part; std::getline(parts, part, ',');) {
    if (part != "all" && !find_benchmark(part)) {
      problem = "unknown benchmark \"" + part + "\"";
      return {};
    }
    names += part + ",";
  }
  for (const BenchmarkSpec& spec : benchmarks()) {
    if (names.find(",all,") != std::string::npos || names.find("," + std::string(spec.id) + ",") != std::string::npos)
      chosen.push_back(spec.id);
  }
  if (chosen.empty()) problem = "--benchmarks names none";
  return chosen;
}

/** Empty string when the option was understood. */
std::string apply(CommandLine& line, const std::string& name, const std::string& value) {
  RunOptions& o = line.options;
  std::uint64_t number = 0;
  std::string problem;
  if (name == "--device" && !value.empty()) {
    line.device = value;
  } else if (name == "--benchmarks") {
    o.benchmarks = parse_benchmarks(value, problem);
  } else if (name == "--tier" && (value == "quick" || value == "standard" || value == "soak")) {
    o.tier = value == "quick" ? Tier::quick : value == "standard" ? Tier::standard : Tier::soak;
  } else if (name == "--time-scale" && parse_scale(value, o.time_scale)) {
    return "";
  } else if (name == "--data" && (value == "random" || value == "zeros")) {
    o.random_data = value == "random";
  } else if (name == "--engine" && (value == "vendor" || value == "own" || value == "auto")) {
    o.engine = value == "vendor" ? EngineChoice::vendor : value == "own" ? EngineChoice::own : EngineChoice::automatic;
  } else if (name == "--threads" && parse_number(value, 16384, number) && number > 0) {
    o.threads = static_cast<int>(number);
  } else if (name == "--seed" && parse_number(value, INT64_MAX, number)) {
    o.seed = number;
  } else if (name == "--max-memory-bytes" && parse_number(value, INT64_MAX, number) && number > 0) {
    o.max_memory_bytes = number;
  } else if (name == "--sysfs-root" && !value.empty()) {
    o.sysfs_root = value;
  } else if (name == "--in-step" && value == "stdin") {
    o.in_step = true;
  } else {
    problem = "\"" + value + "\" is not a value for " + name;
  }
  return problem;
}

bool is_option(const std::string& name) {
  for (const char* known : {"--device", "--benchmarks", "--tier", "--time-scale", "--data", "--engine", "--threads",
                            "--seed", "--max-memory-bytes", "--sysfs-root", "--in-step"}) {
    if (name == known) return true;
  }
  return false;
}

Command parse_command(const std::string& word) {
  if (word == "--list" || word == "list") return Command::list;
  if (word == "run") return Command::run;
  if (word == "matrix") return Command::matrix;
  if (word == "self-test") return Command::self_test;
  if (word == "link") return Command::link;
  if (word == "collective") return Command::collective;
  if (word == "--version" || word == "version") return Command::version;
  if (word == "--help" || word == "-h" || word == "help") return Command::help;
  return Command::usage_error;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  for (const BenchmarkSpec& spec : benchmarks()) line.options.benchmarks.push_back(spec.id);
  const auto fail = [&](const std::string& problem) {
    line.command = Command::usage_error;
    line.problem = problem;
    return line;
  };
  if (arguments.empty()) return fail("a command is missing");
  line.command = parse_command(arguments[0]);
  if (line.command == Command::usage_error) return fail("unknown command \"" + arguments[0] + "\"");
  if (line.command == Command::collective) {
    std::string problem;
    line.collective = parse_collective_options({arguments.begin() + 1, arguments.end()}, problem);
    return problem.empty() ? line : fail(problem);
  }
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    std::string name = arguments[i], value;
    if (line.command == Command::link) {
      if (name != "--allow-public") return fail("unknown option \"" + name + "\"");
      line.allow_public = true;
      continue;
    }
    if (line.command == Command::list && name == "--json") {
      line.command = Command::registry;
      continue;
    }
    const std::size_t equals = name.find('=');
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    if (!is_option(name)) return fail("unknown option \"" + name + "\"");
    if (equals == std::string::npos) {
      if (++i == arguments.size()) return fail(name + " needs a value");
      value = arguments[i];
    }
    const std::string problem = apply(line, name, value);
    if (!problem.empty()) return fail(problem);
  }
  return line;
}

const char* usage_text() {
  return "gpumark-runner --list [--json] | --version | --help   the devices; with --json the tables of this build\n"
         "gpumark-runner run       [--device cpu|cuda|rocm|ID[,ID...]] [--benchmarks all|a,b,c] [--tier "
         "quick|standard|soak] [--time-scale 0.02-1]\n"
         "                         [--data random|zeros] [--engine vendor|own|auto] [--threads N] [--seed N] "
         "[--max-memory-bytes N] [--sysfs-root DIR]\n"
         "gpumark-runner matrix     --device ID,ID[,ID...] [--time-scale 0.02-1]   copies between every two GPUs\n"
         "gpumark-runner self-test [--device cpu|cuda|rocm|ID]\n"
         "gpumark-runner link      [--allow-public]   measures links to other nodes, as commands on stdin say\n"
         "gpumark-runner collective --probe | --unique-id [--device cuda|rocm] --deadline-seconds S   NCCL or RCCL; "
         "the id is kept until stdin is closed\n"
         "gpumark-runner collective [--device cuda|rocm] --first-rank R --ranks N [--devices N] --deadline-seconds S "
         "[--max-memory-bytes N]   the id on stdin\n"
         "Events go to stdout as NDJSON (schema gpumark.native/1), text for people to stderr.\n"
         "Exit codes: 0 ok, 1 stdout went away, 2 usage, 4 a device failed during the run, 5 no usable device, 6 wrong "
         "result, 130/143 stopped by a signal.\n";
}

}  // namespace gpumark
