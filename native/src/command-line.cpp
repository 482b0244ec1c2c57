#include "command-line.h"

#include <algorithm>

#include "collective/data-pattern.h"
#include "gpu/vendor.h"
#include "option-values.h"

namespace gpumark {
namespace {

constexpr double kMaxSeconds = 86400;
constexpr std::size_t kColumns = 120;

constexpr unsigned of(Command command) { return 1u << static_cast<unsigned>(command); }

/** One command form of the program. */
struct Form {
  Command command;
  /** The words it begins with; among forms with the same first word, the one whose second word is given. */
  const char* word;
  const char* second;
  const char* about;
};
constexpr Form kForms[] = {
    {Command::tables, "--list", "--json", "the tables of this build as JSON"},
    {Command::list, "--list", nullptr, "the devices of this machine"},
    {Command::registry, "--registry", nullptr, "the benchmarks and metrics, as the agent is made with"},
    {Command::version, "--version", nullptr, ""},
    {Command::help, "--help", nullptr, ""},
    {Command::run, "run", nullptr, "measures"},
    {Command::matrix, "matrix", nullptr, "copies between every two GPUs"},
    {Command::self_test, "self-test", nullptr, "every kernel against references"},
    {Command::try_kernels, "try-kernels", nullptr,
     "our matrix kernels; run and self-test start it where a fault ends the process"},
    {Command::link, "link", nullptr, "measures links to other nodes, as commands on stdin say"},
    {Command::collective_probe, "collective", "--probe", "is NCCL or RCCL there?"},
    {Command::collective_id, "collective", "--unique-id", "the id of a job, kept until stdin is closed"},
    {Command::collective, "collective", nullptr, "joins the job whose id comes on stdin"},
};
static_assert(sizeof kForms / sizeof kForms[0] == static_cast<std::size_t>(Command::usage_error),
              "each command has a form here");

struct Option {
  const char* name;
  /** Name of its value in the help, with kBackends where the GPU backends go; null: it takes no value. */
  const char* value;
  /** The commands that accept it, and those that require it. */
  unsigned taken_by, needed_by;
  /** @returns false if the value is invalid; line.problem may hold the reason */
  bool (*set)(CommandLine& line, const std::string& value);
};

constexpr unsigned kComputing = of(Command::run) | of(Command::self_test);
constexpr unsigned kTimed = of(Command::run) | of(Command::matrix);
constexpr unsigned kOnDevices = kComputing | kTimed | of(Command::try_kernels);
constexpr unsigned kListing = of(Command::list) | of(Command::tables);
constexpr unsigned kJoining = of(Command::collective_id) | of(Command::collective);
constexpr unsigned kCollective = of(Command::collective_probe) | kJoining;

constexpr Option kOptions[] = {
    {"--device", "cpu|BACKEND|ID[,ID...]", kOnDevices, 0,
     [](CommandLine& line, const std::string& value) { return set_text(value, line.device); }},
    {"--benchmarks", "all|a,b,c", of(Command::run), 0, set_benchmarks},
    {"--turns", "a,b,c", of(Command::run), 0,
     [](CommandLine& line, const std::string& value) { return set_names(line, value, line.options.turns); }},
    {"--swings", "N", of(Command::run), 0,
     [](CommandLine& line, const std::string& value) { return set_number(value, 1, 10000, line.options.swings); }},
    {"--tier", "quick|standard|soak", kTimed, 0, set_tier},
    {"--time-scale", "0.02-1", kTimed, 0,
     [](CommandLine& line, const std::string& value) { return set_decimal(value, 0.02, 1, line.options.time_scale); }},
    {"--data", "random|zeros", kOnDevices, 0, set_data},
    {"--engine", "vendor|own|auto", kComputing, 0, set_engine},
    {"--threads", "N", kComputing | kListing, 0,
     [](CommandLine& line, const std::string& value) { return set_number(value, 1, 16384, line.options.threads); }},
    {"--seed", "N", kOnDevices, 0,
     [](CommandLine& line, const std::string& value) { return set_number(value, 0, INT64_MAX, line.options.seed); }},
    {"--max-memory-bytes", "N", kComputing | of(Command::collective), 0,
     [](CommandLine& line, const std::string& value) {
       return set_number(value, 1, INT64_MAX, line.options.max_memory_bytes);
     }},
    {"--in-step", "stdin", of(Command::run), 0,
     [](CommandLine& line, const std::string& value) { return line.options.in_step = value == "stdin"; }},
    {"--sysfs-root", "DIR", kOnDevices | kListing | kCollective, 0,
     [](CommandLine& line, const std::string& value) { return set_text(value, line.options.sysfs_root); }},
    {"--kernels", "NAME[,NAME...]", of(Command::try_kernels), of(Command::try_kernels),
     [](CommandLine& line, const std::string& value) { return set_text(value, line.kernels); }},
    {"--allow-public", nullptr, of(Command::link), 0,
     [](CommandLine& line, const std::string&) { return line.allow_public = true; }},
    {"--device", "BACKEND", kJoining, 0,
     [](CommandLine& line, const std::string& value) {
       return find_vendor(value) && set_text(value, line.collective.backend);
     }},
    {"--deadline-seconds", "S", kJoining, kJoining,
     [](CommandLine& line, const std::string& value) {
       return set_decimal(value, 1e-9, kMaxSeconds, line.collective.deadline_seconds);
     }},
    {"--ranks", "N", of(Command::collective), of(Command::collective),
     [](CommandLine& line, const std::string& value) {
       return set_number(value, 2, kMaxRanks, line.collective.ranks);
     }},
    {"--first-rank", "R", of(Command::collective), of(Command::collective),
     [](CommandLine& line, const std::string& value) {
       return set_number(value, 0, kMaxRanks - 1, line.collective.first_rank);
     }},
    {"--devices", "N", of(Command::collective), 0,
     [](CommandLine& line, const std::string& value) { return set_number(value, 1, 64, line.collective.devices); }},
};

/** Placeholder for the list of GPU backends in the value of an option. */
constexpr const char* kBackends = "BACKEND";

std::string value_of(const Option& option) {
  std::string value = option.value;
  const std::size_t place = value.find(kBackends);
  if (place == std::string::npos) return value;
  std::string names;
  for (const Vendor* vendor : vendors()) names += (names.empty() ? "" : "|") + std::string(vendor->backend);
  return value.replace(place, std::string(kBackends).size(), names);
}

const Form& form_of(Command command) {
  return *std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& form) { return form.command == command; });
}

const Option* find_option(Command command, const std::string& name) {
  for (const Option& option : kOptions) {
    if (option.taken_by & of(command) && name == option.name) return &option;
  }
  return nullptr;
}

/** Finds the form whose words the arguments begin with and removes those words; null if there is none. */
const Form* take_form(std::vector<std::string>& arguments) {
  std::string word = arguments[0];
  if (word == "list" || word == "version" || word == "help") word = "--" + word;
  if (word == "-h") word = "--help";
  for (const Form& form : kForms) {
    if (word != form.word) continue;
    const auto second = form.second ? std::find(arguments.begin() + 1, arguments.end(), form.second) : arguments.end();
    if (form.second && second == arguments.end()) continue;
    if (form.second) arguments.erase(second);
    arguments.erase(arguments.begin());
    return &form;
  }
  return nullptr;
}

/** @returns the error in the options of line.command, or "" */
std::string parse_options(const std::vector<std::string>& arguments, CommandLine& line) {
  unsigned given[sizeof kOptions / sizeof kOptions[0]] = {};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].find('=');
    const std::string name = arguments[i].substr(0, equals);
    const Option* const option = find_option(line.command, name);
    if (!option || (!option->value && equals != std::string::npos)) return "unknown option \"" + name + "\"";
    std::string value;
    if (equals != std::string::npos) {
      value = arguments[i].substr(equals + 1);
    } else if (option->value) {
      if (++i == arguments.size()) return name + " needs a value";
      value = arguments[i];
    }
    if (!option->set(line, value))
      return line.problem.empty() ? "\"" + value + "\" is not a value for " + name : line.problem;
    given[option - kOptions] = 1;
  }
  for (const Option& option : kOptions) {
    if (option.needed_by & of(line.command) && !given[&option - kOptions])
      return std::string(form_of(line.command).word) + " needs " + option.name;
  }
  const bool beyond = line.command == Command::collective && line.collective.first_rank >= line.collective.ranks;
  return beyond ? "--first-rank is not below --ranks" : "";
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  for (const BenchmarkSpec& spec : kBenchmarks) line.options.benchmarks.push_back(spec.id);
  line.collective.backend = vendors().front()->backend;
  std::vector<std::string> rest = arguments;
  const Form* const form = rest.empty() ? nullptr : take_form(rest);
  if (form) line.command = form->command;
  line.problem = rest.empty() && !form ? "a command is missing"
                 : !form               ? "unknown command \"" + rest[0] + "\""
                                       : parse_options(rest, line);
  if (!line.problem.empty()) line.command = Command::usage_error;
  return line;
}

std::string usage_text() {
  std::string text;
  for (const Form& form : kForms) {
    std::string row = "gpumark-runner " + std::string(form.word);
    if (form.second) row += " " + std::string(form.second);
    const std::size_t indent = std::string("gpumark-runner ").size() + 4;
    const auto add = [&](const std::string& words) {
      const std::size_t begin = row.rfind('\n') + 1;
      row += row.size() - begin + 1 + words.size() > kColumns ? "\n" + std::string(indent, ' ') + words : " " + words;
    };
    for (const Option& option : kOptions) {
      if (!(option.taken_by & of(form.command))) continue;
      const std::string words = option.name + (option.value ? " " + value_of(option) : "");
      add(option.needed_by & of(form.command) ? words : "[" + words + "]");
    }
    if (*form.about) add("  " + std::string(form.about));
    text += row + "\n";
  }
  return text +
         "Events go to stdout as NDJSON (schema gpumark.native/1), text for people to stderr.\n"
         "Exit codes: 0 ok, 1 stdout went away, 2 usage, 4 a device failed during the run, 5 no usable device,\n"
         "6 wrong result, 130/143 stopped by a signal.\n";
}

}  // namespace gpumark
