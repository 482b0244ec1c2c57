// Setters of option values: each returns false if the value is invalid.
#pragma once
#include <cerrno>
#include <cstdlib>
#include <sstream>

#include "command-line.h"

namespace gpumark {

template <class Integer>
bool set_number(const std::string& text, std::uint64_t min, std::uint64_t max, Integer& to) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return false;
  errno = 0;
  const std::uint64_t value = std::strtoull(text.c_str(), nullptr, 10);
  if (errno != 0 || value < min || value > max) return false;
  to = static_cast<Integer>(value);
  return true;
}

inline bool set_decimal(const std::string& text, double min, double max, double& to) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= min && value <= max)) return false;
  to = value;
  return true;
}

inline bool set_text(const std::string& value, std::string& to) {
  to = value;
  return !value.empty();
}

/** "all" or "a,b,c", in the registry's order. */
inline bool set_names(CommandLine& line, const std::string& text, std::vector<std::string>& to) {
  std::stringstream parts(text);
  std::string names = ",";
  for (std::string part; std::getline(parts, part, ',');) {
    if (part != "all" && !find_benchmark(part)) line.problem = "unknown benchmark \"" + part + "\"";
    names += part + ",";
  }
  to.clear();
  for (const BenchmarkSpec& spec : kBenchmarks) {
    if (names.find(",all,") != std::string::npos || names.find("," + std::string(spec.id) + ",") != std::string::npos)
      to.push_back(spec.id);
  }
  if (to.empty() && line.problem.empty()) line.problem = "the list names no benchmark";
  return line.problem.empty();
}

inline bool set_benchmarks(CommandLine& line, const std::string& text) {
  return set_names(line, text, line.options.benchmarks);
}

inline bool set_tier(CommandLine& line, const std::string& value) {
  line.options.tier = value == "quick" ? Tier::quick : value == "standard" ? Tier::standard : Tier::soak;
  return value == "quick" || value == "standard" || value == "soak";
}

inline bool set_data(CommandLine& line, const std::string& value) {
  line.options.random_data = value == "random";
  return value == "random" || value == "zeros";
}

inline bool set_engine(CommandLine& line, const std::string& value) {
  line.options.engine = value == "vendor" ? EngineChoice::vendor
                        : value == "own"  ? EngineChoice::own
                                          : EngineChoice::automatic;
  return value == "vendor" || value == "own" || value == "auto";
}

}  // namespace gpumark
