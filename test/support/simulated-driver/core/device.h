// One simulated card: its identity, memory, health and power.
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
  /** Position in the machine, regardless of which devices the environment makes visible. */
  const int ordinal;
  /** "Simulated GPU (sm_90)", so that it cannot be mistaken for a product. */
  const std::string name;
  const unsigned pci_bus;
  /** As the driver returns it: 16 bytes; with AMD's runtime 16 hexadecimal digits. */
  const std::array<unsigned char, 16> uuid;
  /** "GPU-…", or "MIG-…" if the device is a MIG instance, in which case parent_uuid() is the whole card's. */
  std::string uuid_text() const;
  std::string parent_uuid() const;
  /** The number whose text is the UUID of an AMD card. */
  std::uint64_t unique_id() const;
  bool is_mig() const;

  // ---- memory
  std::size_t total_bytes() const;
  std::size_t free_bytes() const;
  /** Memory used by other processes. */
  std::size_t foreign_bytes() const;
  int allocate(std::size_t bytes, std::uint64_t* address);
  int release(std::uint64_t address);

  // ---- the primary context; with AMD it exists from the first call on
  bool has_context() const { return retained_ > 0; }
  void retain() { ++retained_; }
  /** The last release waits for all work, frees all memory and clears an error, unless the card is lost. */
  void release_context();

  // ---- health
  /** The error that every call on this device returns from now on, or 0. */
  int failure() const { return failure_; }
  void fail(int code);
  bool lost() const { return lost_; }
  void lose();
  /** Counts a kernel launch. @returns the error that a fault causes in it, or 0 */
  int count_launch();
  std::uint64_t launches() const { return launches_; }
  /** Kernels that have run here, for faults that begin after a certain kernel. */
  void note_run(const std::string& kernel);
  bool has_run(const std::string& kernel);
  unsigned uncorrected_errors() const { return uncorrected_errors_; }
  /** Whether a fault of this kind is set for this device. */
  bool has_fault(const char* kind) const;
  bool is_slow() const { return slow_; }

  // ---- neighbours
  bool can_reach(const Device& peer) const;
  /** @returns an error code */
  int enable_peer(const Device& peer);
  bool reaches(const Device* peer);
  /** Links to `peer`, direct or through switches; 0 if it is reached through PCIe. */
  int links_to(const Device& peer) const;
  /** More than four NVIDIA cards with many links are connected by switches and reach each other through all links. */
  bool is_switched() const;

  PowerMeter power;

  // ---- streams
  std::shared_ptr<Stream> null_stream();
  std::vector<std::shared_ptr<Stream>> streams();
  void add_stream(const std::shared_ptr<Stream>& stream);
  /** Waits until all submitted work is done. */
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

/** Number of other devices of the same vendor in the machine. */
int devices_beside(const Device& device);

}  // namespace gpumark::sim
