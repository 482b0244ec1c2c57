// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104). Our own, because the runner links to libc only.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace gpumark::link {

using Digest = std::array<std::uint8_t, 32>;

class Sha256 {
 public:
  Sha256();
  /** Wipes the state: it may have come from a key. */
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(const void* data, std::size_t bytes);
  /** May be called once; nothing can be added afterwards. */
  Digest finish();

 private:
  void compress(const std::uint8_t* block);
  std::array<std::uint32_t, 8> state_;
  std::array<std::uint8_t, 64> block_;
  std::uint64_t length_ = 0;
};

class HmacSha256 {
 public:
  HmacSha256(const void* key, std::size_t bytes);
  ~HmacSha256();
  HmacSha256(const HmacSha256&) = delete;
  HmacSha256& operator=(const HmacSha256&) = delete;
  void add(const void* data, std::size_t bytes) { inner_.add(data, bytes); }
  Digest finish();

 private:
  Sha256 inner_;
  std::array<std::uint8_t, 64> pad_;
};

/** Always compares every byte, so that timing does not reveal where two digests differ. */
bool equal_in_constant_time(const void* a, const void* b, std::size_t bytes);

/** Overwrites memory in a way that the compiler cannot optimise away. */
void wipe(void* data, std::size_t bytes);

}  // namespace gpumark::link
