// One NVIDIA card behind NVML: each value with its bounds, or the reason why the driver does not give it.
#pragma once
#include <string>

#include "sensors/fact.h"
#include "sensors/nvml.h"

namespace gpumark {

class NvmlCard {
 public:
  /** @param is_mig an instance of the card is measured; NVML then refuses some of the card's facts */
  NvmlCard(NvmlDevice device, bool is_mig) : device_(device), is_mig_(is_mig) {}

  const NvmlTable& call() const { return Nvml::instance().call(); }
  bool is_mig() const { return is_mig_; }
  /** NVML's code. A call that the library lacks is one that it does not find. */
  template <class... Parameters, class... Arguments>
  int ask(int (*function)(NvmlDevice, Parameters...), Arguments... arguments) const {
    return function ? function(device_, arguments...) : nvml::kFunctionNotFound;
  }
  /** What a code other than 0 says about a fact. */
  std::string why(int code) const;
  Number counter(int code, unsigned long long value) const {
    return code == 0 ? counted(value) : Number{{}, why(code)};
  }
  Number counter(int (*function)(NvmlDevice, unsigned*)) const;
  Number megahertz(int (*function)(NvmlDevice, int, unsigned*), int domain) const;
  /** ECC errors of all memories together. */
  Number ecc(int kind, int counter) const;
  /** @param scope link of an NVLink field; else nvml::kScopeGpu */
  Number field(unsigned id, unsigned scope) const;
  /** The same without the bounds of a count: nanoseconds. */
  Fact<unsigned long long> raw_field(unsigned id, unsigned scope) const;

 private:
  NvmlDevice device_;
  bool is_mig_;
};

}  // namespace gpumark
