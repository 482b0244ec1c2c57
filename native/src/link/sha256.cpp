#include "link/sha256.h"

#include <cstring>

namespace gpumark::link {
namespace {

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t rotate(std::uint32_t x, int by) { return (x >> by) | (x << (32 - by)); }

std::uint32_t big_endian(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0]) << 24 | static_cast<std::uint32_t>(at[1]) << 16 |
         static_cast<std::uint32_t>(at[2]) << 8 | at[3];
}

}  // namespace

// FIPS 180-4, 5.3.3: from the square roots of the first 8 primes.
Sha256::Sha256()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
      block_{} {}

Sha256::~Sha256() {
  wipe(state_.data(), sizeof state_);
  wipe(block_.data(), sizeof block_);
}

void Sha256::add(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::uint8_t*>(data);
  for (std::size_t i = 0; i < bytes; ++i) {
    block_[static_cast<std::size_t>(length_ % 64)] = from[i];
    if (++length_ % 64 == 0) compress(block_.data());
  }
}

void Sha256::compress(const std::uint8_t* block) {
  std::uint32_t w[64];
  for (int t = 0; t < 16; ++t) w[t] = big_endian(block + 4 * t);
  for (int t = 16; t < 64; ++t) {
    const std::uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  std::uint32_t a = state_[0], b = state_[1], c = state_[2], d = state_[3], e = state_[4], f = state_[5], g = state_[6],
                h = state_[7];
  for (int t = 0; t < 64; ++t) {
    const std::uint32_t t1 =
        h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
    const std::uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::uint32_t mixed[8] = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += mixed[i];
  wipe(w, sizeof w);
}

Digest Sha256::finish() {
  const std::uint64_t bits = length_ * 8;
  const std::uint8_t one = 0x80, zero = 0;
  add(&one, 1);
  while (length_ % 64 != 56) add(&zero, 1);
  std::uint8_t length[8];
  for (int i = 0; i < 8; ++i) length[i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  add(length, sizeof length);
  Digest digest;
  for (std::size_t i = 0; i < 32; ++i) digest[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

HmacSha256::HmacSha256(const void* key, std::size_t bytes) : pad_{} {
  if (bytes > pad_.size()) {
    Sha256 hash;
    hash.add(key, bytes);
    const Digest short_key = hash.finish();
    std::memcpy(pad_.data(), short_key.data(), short_key.size());
  } else if (bytes > 0) {
    std::memcpy(pad_.data(), key, bytes);
  }
  for (std::uint8_t& byte : pad_) byte ^= 0x36;
  inner_.add(pad_.data(), pad_.size());
  // Turns the inner pad into the outer one: 0x36 ^ 0x5c.
  for (std::uint8_t& byte : pad_) byte ^= 0x6a;
}

HmacSha256::~HmacSha256() { wipe(pad_.data(), pad_.size()); }

Digest HmacSha256::finish() {
  const Digest inner = inner_.finish();
  Sha256 outer;
  outer.add(pad_.data(), pad_.size());
  outer.add(inner.data(), inner.size());
  return outer.finish();
}

bool equal_in_constant_time(const void* a, const void* b, std::size_t bytes) {
  const volatile auto* x = static_cast<const volatile std::uint8_t*>(a);
  const volatile auto* y = static_cast<const volatile std::uint8_t*>(b);
  unsigned difference = 0;
  for (std::size_t i = 0; i < bytes; ++i) difference |= static_cast<unsigned>(x[i] ^ y[i]);
  return difference == 0;
}

void wipe(void* data, std::size_t bytes) {
  // explicit_bzero came with glibc 2.25; the barrier keeps the compiler from dropping the zeros.
  std::memset(data, 0, bytes);
  __asm__ volatile("" : : "r"(data) : "memory");
}

}  // namespace gpumark::link
