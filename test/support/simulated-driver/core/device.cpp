#include "core/device.h"

#include <algorithm>

#include "core/settings.h"
#include "core/stream.h"

namespace gpumark::sim {
namespace {

/** Memory that a context uses. */
constexpr std::size_t kContextBytes = 8 << 20;
constexpr std::size_t kGranularityBytes = 512;
/** Memory that the fault "memory-taken" leaves free. */
constexpr std::size_t kLeftBytes = 10 << 20;

}  // namespace

Device::Device(const Architecture& architecture_, int ordinal_)
    : architecture(architecture_),
      ordinal(ordinal_),
      name("Simulated GPU (" + architecture_.name + ")" + (is_mig() ? " MIG 1g.1gb" : "")),
      // Different for every device of both vendors, and some with letters: 0x0a, 0x19, 0x28, … and 0x0c, 0x1b, 0x2a, …
      pci_bus((architecture_.vendor == Vendor::nvidia ? 0x0au : 0x0cu) + 0x0fu * static_cast<unsigned>(ordinal_)),
      uuid(make_uuid(architecture_.vendor, ordinal_, is_mig())),
      slow_(has_fault("slow")) {
  if (has_fault("power-cap")) power.set_busy_watts(PowerMeter::kBusyWatts / 2);
}

std::size_t Device::total_bytes() const { return settings().memory_bytes; }

std::size_t Device::foreign_bytes() const { return has_fault("memory-taken") ? total_bytes() - kLeftBytes : 0; }

std::size_t Device::free_bytes() const {
  const std::size_t context = has_context() && foreign_bytes() == 0 ? kContextBytes : 0;
  const std::size_t taken = foreign_bytes() + context + used_bytes_;
  return taken < total_bytes() ? total_bytes() - taken : 0;
}

int Device::allocate(std::size_t bytes, std::uint64_t* address) {
  if (!address || bytes == 0) return kInvalidValue;
  const std::size_t taken = (bytes + kGranularityBytes - 1) / kGranularityBytes * kGranularityBytes;
  const Fault* fault = settings().fault("out-of-memory", ordinal);
  const std::lock_guard lock(mutex_);
  if (fault && used_bytes_ + taken > fault->number(0) << 20) return kOutOfMemory;
  if (taken > free_bytes()) return kOutOfMemory;
  const auto allocation = std::make_shared<Allocation>(taken, this);
  if (!allocation->data()) return kOutOfMemory;
  used_bytes_ += taken;
  memory_map().add(allocation);
  *address = reinterpret_cast<std::uint64_t>(allocation->data());
  return kOk;
}

int Device::release(std::uint64_t address) {
  if (address == 0) return kOk;
  const auto allocation = memory_map().find(address, 1);
  if (!allocation || !allocation->device() || reinterpret_cast<std::uint64_t>(allocation->data()) != address)
    return kInvalidValue;
  // Freeing waits for the device, as the real call does.
  allocation->device()->drain();
  if (!memory_map().remove(address, true)) return kInvalidValue;
  allocation->device()->used_bytes_ -= allocation->bytes();
  return kOk;
}

void Device::release_context() {
  if (--retained_ > 0) return;
  drain();
  {
    const std::lock_guard lock(mutex_);
    memory_map().remove_all(this);
    used_bytes_ = 0;
    peers_.clear();
  }
  if (!lost_) failure_ = 0;
}

void Device::fail(int code) {
  int none = 0;
  failure_.compare_exchange_strong(none, code);
}

void Device::lose() {
  lost_ = true;
  fail(kLaunchFailed);
}

bool Device::strikes(const char* kind, std::uint64_t launch) const {
  const Fault* fault = settings().fault(kind, ordinal);
  return fault && !fault->counts_paths() && launch > fault->number(0);
}

void Device::note_run(const std::string& kernel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  run_.insert(kernel);
}

bool Device::has_run(const std::string& kernel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return run_.count(kernel) > 0;
}

int Device::count_launch() {
  const std::uint64_t launch = ++launches_;
  if (strikes("card-lost", launch)) {
    lost_ = true;
    return kLaunchFailed;
  }
  if (strikes("ecc-error", launch)) {
    ++uncorrected_errors_;
    return kEccUncorrectable;
  }
  return strikes("launch-failure", launch) ? kLaunchFailed : kOk;
}

bool Device::has_fault(const char* kind) const { return settings().fault(kind, ordinal) != nullptr; }

bool Device::can_reach(const Device& peer) const {
  return this != &peer && architecture.vendor == peer.architecture.vendor && !is_mig() && !has_fault("no-peer") &&
         !peer.has_fault("no-peer");
}

int Device::enable_peer(const Device& peer) {
  if (this == &peer) return kInvalidDevice;
  if (!can_reach(peer)) return kPeerUnsupported;
  const std::lock_guard lock(mutex_);
  return peers_.insert(peer.ordinal).second ? kOk : kPeerAlreadyEnabled;
}

bool Device::reaches(const Device* peer) {
  if (!peer || peer == this) return true;
  const std::lock_guard lock(mutex_);
  return peer->architecture.vendor == architecture.vendor && peers_.count(peer->ordinal) > 0;
}

int Device::links_to(const Device& peer) const {
  const int others = devices_beside(*this);
  if (others == 0 || !can_reach(peer) || peer.architecture.links == 0) return 0;
  return is_switched() ? architecture.links : architecture.links / others;
}

bool Device::is_switched() const {
  return architecture.vendor == Vendor::nvidia && architecture.links >= 12 && devices_beside(*this) >= 4;
}

std::shared_ptr<Stream> Device::null_stream() {
  const std::lock_guard lock(mutex_);
  if (!null_stream_) null_stream_ = Stream::start(*this, Stream::Kind::null);
  return null_stream_;
}

void Device::add_stream(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [](const auto& weak) { return weak.expired(); });
  streams_.push_back(stream);
}

std::vector<std::shared_ptr<Stream>> Device::streams() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Stream>> alive;
  for (const auto& weak : streams_) {
    if (auto stream = weak.lock()) alive.push_back(std::move(stream));
  }
  if (null_stream_) alive.push_back(null_stream_);
  return alive;
}

void Device::drain() {
  for (const auto& stream : streams()) stream->wait();
}

}  // namespace gpumark::sim
