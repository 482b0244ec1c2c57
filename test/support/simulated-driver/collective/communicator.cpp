#include "collective/communicator.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "collective/settings.h"
#include "collective/wire.h"
#include "core/pause.h"

namespace gpumark::sim::collective {
namespace {

constexpr std::size_t kPart = 256 << 10;
constexpr int kInvalidUsage = 5, kRemoteError = 6;

/** Sent from the leaves to the hub before the parts of each operation, to check that all ranks run the same one. */
struct Header {
  std::uint64_t sequence, count;
  Kind kind;
  Element element;
  Reduction reduction;
  std::uint32_t unused;
};

template <class Number>
void combine(Reduction reduction, unsigned char* into, const unsigned char* other, std::size_t bytes) {
  auto* a = reinterpret_cast<Number*>(into);
  const auto* b = reinterpret_cast<const Number*>(other);
  for (std::size_t i = 0; i < bytes / sizeof(Number); ++i)
    a[i] = reduction == Reduction::sum ? a[i] + b[i] : std::max(a[i], b[i]);
}

}  // namespace

Communicator::~Communicator() {
  for (const int socket : sockets_) close(socket);
}

void Communicator::abort() {
  const std::lock_guard lock(mutex_);
  aborted_ = true;
  for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
  changed_.notify_all();
}

void Communicator::hang() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return aborted_; });
}

void Communicator::run(const Work& work) {
  {
    const std::lock_guard lock(mutex_);
    if (aborted_) return;
  }
  if (error_) return hang();
  strike_before(work);
  const auto begin = std::chrono::steady_clock::now();
  if (!exchange(work)) {
    int none = 0;
    error_.compare_exchange_strong(none, kRemoteError);
    return hang();
  }
  strike_after(work);
  if (!work.is_data()) return;
  if (pace() > 0) {
    const auto least = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(static_cast<double>(work.bytes()) / pace()));
    const auto spent = std::chrono::steady_clock::now() - begin;
    if (least > spent) pause_for(least - spent);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  log_line("{\"rank\":" + std::to_string(rank) + ",\"kind\":\"" +
           (work.kind == Kind::all_reduce ? "all_reduce" : "broadcast") +
           "\",\"bytes\":" + std::to_string(work.bytes()) + ",\"seconds\":" + std::to_string(seconds.count()) + "}");
}

void Communicator::strike_before(const Work& work) {
  if (!work.is_data()) return;
  ++data_works_;
  const auto number = [](const std::string& value) { return value.empty() ? 0ul : std::stoul(value); };
  if (const auto after = fault("leave", rank); after && data_works_ > number(*after)) _exit(77);
  if (const auto after = fault("stall", rank); after && data_works_ > number(*after)) hang();
  if (const auto milliseconds = fault("slow", rank)) pause_for(std::chrono::milliseconds(number(*milliseconds)));
}

void Communicator::strike_after(const Work& work) const {
  if (!work.is_data()) return;
  // The last element, so that a check of the first ones only would not find it.
  float* last = reinterpret_cast<float*>(work.to) + work.count - 1;
  if (work.kind == Kind::all_reduce && fault("wrong-sum", rank)) *last += 1;
  if (work.kind == Kind::broadcast && fault("wrong-copy", rank)) *last += 1;
}

bool Communicator::exchange(const Work& work) {
  const Header header{++sequence_, work.count, work.kind, work.element, work.reduction, 0};
  if (rank != 0 && !send_all(sockets_.front(), &header, sizeof header)) return false;
  for (std::size_t i = 0; rank == 0 && i < sockets_.size(); ++i) {
    Header theirs{};
    if (!receive_all(sockets_[i], &theirs, sizeof theirs)) return false;
    if (std::memcmp(&theirs, &header, sizeof header) != 0) {
      error_ = kInvalidUsage;
      return false;
    }
  }
  for (std::size_t at = 0; at < work.bytes(); at += kPart) {
    const std::size_t bytes = std::min(kPart, work.bytes() - at);
    if (!(rank == 0 ? as_hub(work, at, bytes) : as_leaf(work, at, bytes))) return false;
  }
  return true;
}

bool Communicator::as_hub(const Work& work, std::size_t at, std::size_t bytes) {
  // double gives the alignment for either type. A copy is needed, since input and output may be the same buffer.
  std::vector<double> sum(kPart / sizeof(double)), other(kPart / sizeof(double));
  auto* whole = reinterpret_cast<unsigned char*>(sum.data());
  auto* part = reinterpret_cast<unsigned char*>(other.data());
  std::memcpy(whole, work.from + at, bytes);
  for (std::size_t i = 0; work.kind == Kind::all_reduce && i < sockets_.size(); ++i) {
    if (!receive_all(sockets_[i], part, bytes)) return false;
    work.element == Element::fp32 ? combine<float>(work.reduction, whole, part, bytes)
                                  : combine<double>(work.reduction, whole, part, bytes);
  }
  std::memcpy(work.to + at, whole, bytes);
  for (const int socket : sockets_) {
    if (!send_all(socket, whole, bytes)) return false;
  }
  return true;
}

bool Communicator::as_leaf(const Work& work, std::size_t at, std::size_t bytes) {
  if (work.kind == Kind::all_reduce && !send_all(sockets_.front(), work.from + at, bytes)) return false;
  return receive_all(sockets_.front(), work.to + at, bytes);
}

}  // namespace gpumark::sim::collective
