// Brings the connections of one slot about, as its dialer or its listener.
#pragma once
#include <vector>

#include "link/inbox.h"
#include "link/slot-plan.h"
#include "link/slot-report.h"
#include "link/socket.h"
#include "link/stop-flag.h"

namespace gpumark::link {

/**
 * connections[0..count), or an outcome that is not ok in `report`, whose start, interface and connect time this fills.
 */
std::vector<Socket> dial_slot(const SlotPlan& plan, int count, const StopFlag& stop, SlotReport& report);
std::vector<Socket> await_slot(const SlotPlan& plan, int count, Inbox& inbox, const StopFlag& stop, SlotReport& report);

}  // namespace gpumark::link
