// One command line: a verb, then name=value words, separated by single blanks.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "link/address.h"
#include "link/handshake.h"
#include "link/monotonic.h"

#include "link/address.h"
#include "link/slot-plan.h"

namespace gpumark::link {

/** Holds the name of the invalid word, never its value, which may be a key. */
struct BadCommand {
  std::string word;
  std::string message;
};

/** A name that is safe to print: short and of letters only; anything else, such as a misplaced key, becomes "?". */
std::string shown(std::string_view name);

class Command {
 public:
  /** Holds views into `line`, which must outlive it. @throws BadCommand, as do all functions below */
  explicit Command(std::string_view line);
  std::string_view verb() const { return verb_; }

  std::string_view text(const char* name);
  std::optional<std::string_view> text_or_none(const char* name);
  /** 1 to 32 printable characters. */
  std::string id();
  Key key();
  Address address(const char* name);
  std::int64_t whole(const char* name, std::int64_t least, std::int64_t most,
                     std::optional<std::int64_t> otherwise = std::nullopt);
  /** A duration of [least, most] milliseconds, in nanoseconds. */
  Ns ms(const char* name, double least, double most, std::optional<double> otherwise = std::nullopt);
  /** A time on the monotonic clock, at most a day from now. */
  Ns time(const char* name);
  /** Throws if the command has an unknown word. */
  void nothing_else() const;

 private:
  struct Word {
    std::string_view name;
    std::string_view value;
    bool used = false;
  };
  std::string_view verb_;
  std::vector<Word> words_;
};

/** Limits. */
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
/** 1 to 16 addresses with port, separated by commas. */
std::vector<Address> read_endpoints(std::string_view text);
Role read_role(std::string_view text);
Mode read_mode(std::string_view text);
/** At most kMostSaid bytes. */
std::string read_hex(std::string_view text);

}  // namespace gpumark::link
