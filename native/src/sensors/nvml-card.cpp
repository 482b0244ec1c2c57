#include "sensors/nvml-card.h"

#include <cstring>

namespace gpumark {
namespace {

/** A field's value by its type (nvmlValueType_t); a negative one is none. */
Fact<unsigned long long> value_of(const NvmlFieldValue& field) {
  switch (field.value_type) {
    case nvml::kTypeUnsignedInt: return {field.value.as_uint, ""};
    case nvml::kTypeUnsignedLong:
    case nvml::kTypeUnsignedLongLong: return {field.value.as_u64, ""};
    case nvml::kTypeUnsignedShort: return {field.value.as_u64 & 0xffff, ""};
    case nvml::kTypeSignedLongLong:
    case nvml::kTypeSignedInt: {
      const long long value =
          field.value_type == nvml::kTypeSignedInt ? field.value.as_int : static_cast<long long>(field.value.as_u64);
      if (value < 0) return {std::nullopt, implausible(std::to_string(value)).problem};
      return {static_cast<unsigned long long>(value), ""};
    }
    default: return {std::nullopt, "the driver tells it in an unknown form"};
  }
}

}  // namespace

std::string NvmlCard::why(int code) const {
  switch (code) {
    case nvml::kInvalidArgument:
    case nvml::kNotSupported: return is_mig_ ? "not reported of a card in MIG mode" : "not on this card";
    case nvml::kNoPermission:
    case nvml::kOperatingSystem: return "no permission";
    case nvml::kFunctionNotFound:
    case nvml::kVersionMismatch:
    case nvml::kDeprecated: return "not in this driver";
    case nvml::kCorruptedInforom: return "the card's infoROM is corrupted";
    case nvml::kGpuIsLost: return "the card is lost";
    case nvml::kResetRequired: return "the card needs a reset";
    default: return "NVML error " + std::to_string(code);
  }
}

Number NvmlCard::counter(int (*function)(NvmlDevice, unsigned*)) const {
  unsigned value = 0;
  const int code = ask(function, &value);
  return counter(code, value);
}

Number NvmlCard::megahertz(int (*function)(NvmlDevice, int, unsigned*), int domain) const {
  unsigned value = 0;
  const int code = ask(function, domain, &value);
  if (code != 0) return {std::nullopt, why(code)};
  return value > 0 && value <= kMaxClockMhz ? Number{value, ""} : implausible(std::to_string(value));
}

Number NvmlCard::ecc(int kind, int counter_of) const {
  unsigned long long count = 0;
  const int code = ask(call().ecc_errors, kind, counter_of, &count);
  return counter(code, count);
}

Fact<unsigned long long> NvmlCard::raw_field(unsigned id, unsigned scope) const {
  NvmlFieldValue one;
  std::memset(&one, 0, sizeof one);
  one.field_id = id;
  one.scope_id = scope;
  const int code = ask(call().fields, 1, &one);
  if (code != 0) return {std::nullopt, why(code)};
  if (one.result == nvml::kNotSupported || one.result == nvml::kInvalidArgument)
    return {std::nullopt, is_mig_ ? why(one.result) : "not on this card, or not in this driver"};
  return one.result == 0 ? value_of(one) : Fact<unsigned long long>{std::nullopt, why(one.result)};
}

Number NvmlCard::field(unsigned id, unsigned scope) const {
  const auto raw = raw_field(id, scope);
  return raw.value ? counted(*raw.value) : Number{std::nullopt, raw.problem};
}

}  // namespace gpumark
