#include "link/key-book.h"

namespace gpumark::link {

bool KeyBook::add(const std::shared_ptr<Expectation>& expectation) {
  const std::lock_guard<std::mutex> hold(mutex_);
  return expected_.emplace(expectation->id, expectation).second;
}

void KeyBook::remove(const WireId& id) {
  const std::lock_guard<std::mutex> hold(mutex_);
  expected_.erase(id);
}

void KeyBook::expire(Ns now) {
  const std::lock_guard<std::mutex> hold(mutex_);
  for (auto at = expected_.begin(); at != expected_.end();)
    at = at->second->until < now ? expected_.erase(at) : std::next(at);
}

bool KeyBook::open(Ns now) const {
  const std::lock_guard<std::mutex> hold(mutex_);
  for (const auto& [id, one] : expected_) {
    if (now >= one->from && now <= one->until) return true;
  }
  return false;
}

std::shared_ptr<Expectation> KeyBook::claim(const Hello& hello, const Address& local, Ns now) {
  std::shared_ptr<Expectation> one;
  {
    const std::lock_guard<std::mutex> hold(mutex_);
    const auto found = expected_.find(id_of(hello));
    if (found == expected_.end()) return nullptr;
    one = found->second;
    if (now < one->from || now > one->until || (one->local && !same_host(*one->local, local))) return nullptr;
    if (hello_proves(one->key, hello)) {
      const std::uint8_t stream = stream_of(hello);
      if (stream >= one->streams || one->used[stream]) return nullptr;
      one->used.set(stream);
      return one;
    }
  }
  if (one->suspect) one->suspect();
  return nullptr;
}

std::size_t KeyBook::size() const {
  const std::lock_guard<std::mutex> hold(mutex_);
  return expected_.size();
}

}  // namespace gpumark::link
