// Builds one JSON object as text, in insertion order. Numbers that are not finite become null.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpumark {

class JsonObject {
 public:
  JsonObject& text(std::string_view key, std::string_view value);
  JsonObject& number(std::string_view key, double value);
  JsonObject& number(std::string_view key, std::optional<double> value);
  /** A number already formatted, if nine digits are too few. */
  JsonObject& literal(std::string_view key, std::string_view number);
  JsonObject& integer(std::string_view key, std::int64_t value);
  JsonObject& boolean(std::string_view key, bool value);
  JsonObject& null(std::string_view key);
  JsonObject& object(std::string_view key, const JsonObject& value);
  JsonObject& objects(std::string_view key, const std::vector<JsonObject>& values);
  JsonObject& texts(std::string_view key, const std::vector<std::string>& values);
  JsonObject& numbers(std::string_view key, const std::vector<double>& values);
  /** The finished object, braces included. */
  std::string str() const { return "{" + body_ + "}"; }

 private:
  void key(std::string_view name);
  std::string body_;
};

/** A JSON string literal: control characters escaped, bytes that are not UTF-8 replaced. */
std::string json_quoted(std::string_view value);
/** A JSON number with 9 significant digits, or null when not finite. */
std::string json_number(double value);

}  // namespace gpumark
