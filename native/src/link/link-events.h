// The events of `gpumark-runner link`; README.md lists them.
#pragma once
#include <optional>
#include <string>

#include "link/address.h"
#include "link/slot-plan.h"
#include "link/slot-report.h"
#include "protocol/emitter.h"

namespace gpumark::link {

class LinkEvents {
 public:
  explicit LinkEvents(Emitter& emitter) : emitter_(emitter) {}
  /** `congestion_control` is empty if unknown. */
  void ready(const std::string& congestion_control);
  void error(const std::string& word, const std::string& message);
  void listening(const Address& address, int port);
  void listen_failed(const std::string& address, const std::string& code);
  void accepted(const std::string& id);
  void dialled(const std::string& id, const Outcome& outcome, const std::optional<Address>& address, Ns connect_time);
  void slot(const SlotPlan& plan, const SlotReport& report);
  void channel(const SlotPlan& plan, const SlotReport& report);
  void heard(const std::string& id, const std::string& hex);
  void hung_up(const std::string& id);

 private:
  Emitter& emitter_;
};

}  // namespace gpumark::link
