// One simulated card: who it is, its memory, its health, its power.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/architecture.h"
#include "core/memory-map.h"
#include "core/power-meter.h"

namespace gpumark::sim {

class Stream;

std::array<unsigned char, 16> make_uuid(Vendor vendor, int ordinal, bool mig);

class Device {
 public:
  Device(const Architecture& architecture, int ordinal);

  const Architecture architecture;
  /** Place in the machine, whatever the environment shows of it. */
  const int ordinal;
  /** "Simulated GPU (sm_90)": not to be mistaken for a product. */
  const std::string name;
  const unsigned pci_bus;
  /** As the driver gives it: 16 bytes, of AMD's runtime 16 hexadecimal digits. */
  const std::array<unsigned char, 16> uuid;
  /** "GPU-…", or "MIG-…" where the device is an instance of one; then parent_uuid() is the whole card's. */
  std::string uuid_text() const;
  std::string parent_uuid() const;
  /** The AMD card's number, of which the UUID is the text. */
  std::uint64_t unique_id() const;
  bool is_mig() const;

  // ---- memory
  std::size_t total_bytes() const;
  std::size_t free_bytes() const;
  /** What processes other than this one hold. */
  std::size_t foreign_bytes() const;
  int allocate(std::size_t bytes, std::uint64_t* address);
  int release(std::uint64_t address);

  // ---- context: the primary one; AMD's is there from the first call on
  bool has_context() const { return retained_ > 0; }
  void retain() { ++retained_; }
  /** The last release ends all work, frees all memory and forgets an error, unless the card is gone. */
  void release_context();

  // ---- health
  /** The error that every call on this device gives from now on, or 0. */
  int failure() const { return failure_; }
  void fail(int code);
  bool lost() const { return lost_; }
  /** Counts a kernel launch and gives the error that strikes it, if one does. */
  int count_launch();
  std::uint64_t launches() const { return launches_; }
  /** Kernels that have run here, for the faults that begin after one of them. */
  void note_run(const std::string& kernel);
  bool has_run(const std::string& kernel);
  unsigned uncorrected_errors() const { return uncorrected_errors_; }
  /** Whether the fault of this kind strikes this device. */
  bool has_fault(const char* kind) const;
  bool is_slow() const { return slow_; }

  // ---- neighbours
  bool can_reach(const Device& peer) const;
  /** @returns an error code */
  int enable_peer(const Device& peer);
  bool reaches(const Device* peer);
  /** Links that lead to `peer`, straight or through switches; 0: by PCIe. */
  int links_to(const Device& peer) const;
  /** More than four NVIDIA cards with many links hang on switches, and reach each other by all links. */
  bool is_switched() const;

  PowerMeter power;

  // ---- streams
  std::shared_ptr<Stream> null_stream();
  std::vector<std::shared_ptr<Stream>> streams();
  void add_stream(const std::shared_ptr<Stream>& stream);
  /** Until all that was submitted is done. */
  void drain();

 private:
  bool strikes(const char* kind, std::uint64_t launch) const;

  std::atomic<std::size_t> used_bytes_{0};
  std::atomic<int> retained_{0};
  std::atomic<int> failure_{0};
  std::atomic<bool> lost_{false};
  std::atomic<std::uint64_t> launches_{0};
  std::atomic<unsigned> uncorrected_errors_{0};
  const bool slow_;
  std::mutex mutex_;
  std::set<int> peers_;
  std::set<std::string> run_;
  std::shared_ptr<Stream> null_stream_;
  std::vector<std::weak_ptr<Stream>> streams_;
};

/** Size of the whole machine's peer group: the devices of one vendor. */
int devices_beside(const Device& device);

}  // namespace gpumark::sim
