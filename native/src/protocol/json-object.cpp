#include "protocol/json-object.h"

#include <cmath>
#include <cstdio>

namespace gpumark {
namespace {

/** Length of the valid UTF-8 sequence at `at`, or 0. Rejects overlong forms and surrogates. */
std::size_t utf8_length(std::string_view s, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < s.size() ? static_cast<unsigned char>(s[at + i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (!tail(1) || !tail(2)) return 0;
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
    return 3;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

std::string json_quoted(std::string_view value) {
  std::string out = "\"";
  for (std::size_t i = 0; i < value.size();) {
    const auto c = static_cast<unsigned char>(value[i]);
    const std::size_t length = utf8_length(value, i);
    if (length == 0) {
      out += "\\ufffd";
      ++i;
      continue;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20 || c == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else {
      out.append(value.substr(i, length));
    }
    i += length;
  }
  return out + "\"";
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[40];
  // 17 digits only if an integer would lose them at 9: byte counts stay exact.
  const bool whole = value == std::floor(value) && std::fabs(value) < 9e15;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.9g", value);
  return text;
}

void JsonObject::key(std::string_view name) {
  if (!body_.empty()) body_ += ",";
  body_ += json_quoted(name) + ":";
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  key(name);
  body_ += json_quoted(value);
  return *this;
}

JsonObject& JsonObject::number(std::string_view name, double value) {
  key(name);
  body_ += json_number(value);
  return *this;
}

JsonObject& JsonObject::number(std::string_view name, std::optional<double> value) {
  return value ? number(name, *value) : null(name);
}

JsonObject& JsonObject::literal(std::string_view name, std::string_view number) {
  key(name);
  body_ += number;
  return *this;
}

JsonObject& JsonObject::integer(std::string_view name, std::int64_t value) {
  key(name);
  body_ += std::to_string(value);
  return *this;
}

JsonObject& JsonObject::boolean(std::string_view name, bool value) {
  key(name);
  body_ += value ? "true" : "false";
  return *this;
}

JsonObject& JsonObject::null(std::string_view name) {
  key(name);
  body_ += "null";
  return *this;
}

JsonObject& JsonObject::object(std::string_view name, const JsonObject& value) {
  key(name);
  body_ += value.str();
  return *this;
}

JsonObject& JsonObject::objects(std::string_view name, const std::vector<JsonObject>& values) {
  key(name);
  body_ += "[";
  for (std::size_t i = 0; i < values.size(); ++i) body_ += (i ? "," : "") + values[i].str();
  body_ += "]";
  return *this;
}

JsonObject& JsonObject::texts(std::string_view name, const std::vector<std::string>& values) {
  key(name);
  body_ += "[";
  for (std::size_t i = 0; i < values.size(); ++i) body_ += (i ? "," : "") + json_quoted(values[i]);
  body_ += "]";
  return *this;
}

JsonObject& JsonObject::numbers(std::string_view name, const std::vector<double>& values) {
  key(name);
  body_ += "[";
  for (std::size_t i = 0; i < values.size(); ++i) body_ += (i ? "," : "") + json_number(values[i]);
  body_ += "]";
  return *this;
}

}  // namespace gpumark
