#include "link/dial-queue.h"

#include <algorithm>

namespace gpumark::link {

DialQueue::~DialQueue() {
  {
    const std::lock_guard<std::mutex> hold(mutex_);
    stopping_ = true;
    waiting_.clear();
    for (const auto& one : running_) one->stop.stop();
    changed_.notify_all();
  }
  for (std::thread& one : threads_) one.join();
}

bool DialQueue::add(DialJob job) {
  const std::lock_guard<std::mutex> hold(mutex_);
  if (waiting_.size() >= kMost) return false;
  waiting_.push_back(std::move(job));
  if (idle_ < waiting_.size() && threads_.size() < kAtOnce) threads_.emplace_back([this] { work(); });
  changed_.notify_one();
  return true;
}

bool DialQueue::has(const std::string& id) {
  const std::lock_guard<std::mutex> hold(mutex_);
  return std::any_of(waiting_.begin(), waiting_.end(), [&](const DialJob& one) { return one.id == id; }) ||
         std::any_of(running_.begin(), running_.end(), [&](const auto& one) { return one->job.id == id; });
}

bool DialQueue::cancel(const std::string& id) {
  const std::lock_guard<std::mutex> hold(mutex_);
  for (const auto& one : running_) {
    if (one->job.id != id) continue;
    one->stop.stop();
    return true;
  }
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const DialJob& one) { return one.id == id; });
  if (found == waiting_.end()) return false;
  waiting_.erase(found);
  return true;
}

void DialQueue::work() {
  std::unique_lock<std::mutex> hold(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(hold, [this] { return stopping_ || !waiting_.empty(); });
    --idle_;
    if (stopping_) return;
    const auto running = std::make_shared<Running>();
    running->job = std::move(waiting_.front());
    waiting_.pop_front();
    running_.push_back(running);
    hold.unlock();
    if (running->stop.sleep_until(running->job.start)) dial(*running);
    hold.lock();
    running_.erase(std::find(running_.begin(), running_.end(), running));
  }
}

void DialQueue::dial(Running& running) {
  const DialJob& job = running.job;
  const Ns deadline = std::max(job.start, now_ns()) + job.timeout;
  const WireId id = wire_id(job.id);
  Dialled last;
  for (std::size_t i = 0; i < job.addresses.size() && !running.stop.stopped(); ++i) {
    const Address& address = job.addresses[i];
    if (is_public(address) && !allow_public_) {
      last = {};
      last.outcome = {Status::refused, Stage::connect, "PUBLIC_ADDRESS"};
      continue;
    }
    const Ns now = now_ns();
    const Ns share = now + std::max<Ns>(0, deadline - now) / static_cast<Ns>(job.addresses.size() - i);
    last = dial_proven({address, std::nullopt, job.key, id}, 0, share, running.stop);
    if (last.outcome.ok()) return events_.dialled(job.id, last.outcome, address, last.connect_time);
  }
  if (running.stop.stopped() && last.outcome.ok()) last.outcome = cancelled(Stage::connect);
  events_.dialled(job.id, last.outcome, std::nullopt, last.connect_time);
}

}  // namespace gpumark::link
