// A fact about a card, or the reason why it cannot be read, and the object to which facts are written.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/json-object.h"

namespace gpumark {

template <class T>
struct Fact {
  std::optional<T> value;
  /** Why there is no value; empty if there is one. */
  std::string problem;
};
using Number = Fact<double>;

/** Drivers report failures as 2^32 - 1 or 2^64 - 1; no counter of errors or pages comes near a million million. */
constexpr unsigned long long kMostCounted = 1'000'000'000'000;

inline Number implausible(const std::string& value) { return {std::nullopt, "not a plausible value: " + value}; }

inline Number counted(unsigned long long value) {
  if (value == UINT32_MAX || value > kMostCounted) return implausible(std::to_string(value));
  return {static_cast<double>(value), ""};
}

/** What a counter has grown by. */
inline Number growth(const Number& before, const Number& now) {
  if (!now.value || !before.value) return now.value ? before : now;
  if (*now.value < *before.value) return {std::nullopt, "the counter went back during the run"};
  return {*now.value - *before.value, ""};
}

/** Numbers that belong together as one object. */
class FactGroup {
 public:
  FactGroup& number(const char* key, const Number& fact) {
    all_.number(key, fact.value);
    return note(key, fact);
  }
  /** A number that is 0 or not, as a truth value. */
  FactGroup& boolean(const char* key, const Number& fact) {
    fact.value ? all_.boolean(key, *fact.value != 0) : all_.null(key);
    return note(key, fact);
  }
  FactGroup& text(const char* key, const Fact<std::string>& fact) {
    fact.value ? all_.text(key, *fact.value) : all_.null(key);
    return note(key, fact);
  }

 private:
  friend class FactWriter;
  template <class T>
  FactGroup& note(const char* key, const Fact<T>& fact) {
    any_ = any_ || fact.value.has_value();
    if (!fact.value) problems_.emplace_back(key, fact.problem);
    return *this;
  }

  JsonObject all_;
  bool any_ = false;
  std::vector<std::pair<std::string, std::string>> problems_;
};

/** Writes facts; those without a value as null, and their reasons at the end as `health_problems`. */
class FactWriter {
 public:
  explicit FactWriter(JsonObject& to) : to_(to) {}
  void number(const char* key, const Number& fact) {
    fact.value ? void(to_.number(key, *fact.value)) : missing(key, fact.problem);
  }
  void text(const char* key, const Fact<std::string>& fact) {
    fact.value ? void(to_.text(key, *fact.value)) : missing(key, fact.problem);
  }
  void objects(const char* key, const Fact<std::vector<JsonObject>>& fact) {
    fact.value ? void(to_.objects(key, *fact.value)) : missing(key, fact.problem);
  }
  void numbers(const char* key, const Fact<std::vector<double>>& fact) {
    fact.value ? void(to_.numbers(key, *fact.value)) : missing(key, fact.problem);
  }
  /** Null only if none of the group can be read, for the first one's reason. */
  void group(const char* key, const FactGroup& group) {
    if (!group.any_) return missing(key, group.problems_.empty() ? "" : group.problems_.front().second);
    to_.object(key, group.all_);
    for (const auto& [member, problem] : group.problems_) note(std::string(key) + "." + member, problem);
  }
  void missing(const char* key, const std::string& problem) {
    to_.null(key);
    note(key, problem);
  }
  void note(const std::string& fact, const std::string& problem) { problems_.text(fact, problem); }
  void finish() { to_.object("health_problems", problems_); }

 private:
  JsonObject& to_;
  JsonObject problems_;
};

}  // namespace gpumark
