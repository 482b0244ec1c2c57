// Establishes the connections of one slot, as its dialer or its listener.
#pragma once
#include <vector>

#include "link/inbox.h"
#include "link/slot-plan.h"
#include "link/slot-report.h"
#include "link/socket.h"
#include "link/stop-flag.h"

namespace gpumark::link {

/**
 * @returns connections[0..count); otherwise sets a failed outcome in `report`. Also sets its start, interface and
 * connect time.
 */
std::vector<Socket> dial_slot(const SlotPlan& plan, int count, const StopFlag& stop, SlotReport& report);
std::vector<Socket> await_slot(const SlotPlan& plan, int count, Inbox& inbox, const StopFlag& stop, SlotReport& report);

}  // namespace gpumark::link
