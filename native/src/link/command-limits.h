// The values of a command that have a form of their own, and how much of everything there may be.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "link/address.h"
#include "link/slot-plan.h"

namespace gpumark::link {

inline constexpr std::size_t kMostSlots = 512;
inline constexpr std::size_t kMostExpected = 4096;
inline constexpr double kShortestSlotMs = 1500;
inline constexpr double kLongestSlotMs = 120000;

struct PortRange {
  int first = 0;
  int last = 0;
};

/** "0", "20000" or "20000-20999". All of these throw BadCommand. */
PortRange read_ports(std::string_view text);
/** 1 to 16 addresses with port, with commas between. */
std::vector<Address> read_endpoints(std::string_view text);
Role read_role(std::string_view text);
Mode read_mode(std::string_view text);
/** At most kMostSaid bytes. */
std::string read_hex(std::string_view text);

}  // namespace gpumark::link
