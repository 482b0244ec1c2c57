#include "link/handshake.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace gpumark::link {
namespace {

constexpr std::size_t kIdAt = kMagic.size();
constexpr std::size_t kStreamAt = kIdAt + kIdBytes;
constexpr std::size_t kNonceAt = kStreamAt + 1;
constexpr std::size_t kMacAt = kNonceAt + sizeof(Nonce);
static_assert(kMacAt + sizeof(Digest) == kHelloBytes);
static_assert(sizeof(Nonce) + sizeof(Digest) == kAnswerBytes);

/** MAC of the id, stream and nonce_a of the hello. */
Digest hello_mac(const Key& key, const Hello& hello) {
  HmacSha256 mac(key.bytes.data(), key.bytes.size());
  mac.add("dial", 4);
  mac.add(hello.data() + kIdAt, kMacAt - kIdAt);
  return mac.finish();
}

Digest answer_mac(const Key& key, const Hello& hello, const std::uint8_t* nonce) {
  HmacSha256 mac(key.bytes.data(), key.bytes.size());
  mac.add("listen", 6);
  mac.add(hello.data() + kIdAt, kMacAt - kIdAt);
  mac.add(nonce, sizeof(Nonce));
  return mac.finish();
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

bool read_key(std::string_view hex, Key& key) {
  if (hex.size() != 2 * key.bytes.size()) return false;
  for (std::size_t i = 0; i < key.bytes.size(); ++i) {
    const int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    key.bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return true;
}

WireId wire_id(std::string_view id) {
  WireId wire{};
  std::memcpy(wire.data(), id.data(), std::min(id.size(), wire.size()));
  return wire;
}

Hello make_hello(const Key& key, const WireId& id, std::uint8_t stream, const Nonce& nonce) {
  Hello hello{};
  std::memcpy(hello.data(), kMagic.data(), kMagic.size());
  std::memcpy(hello.data() + kIdAt, id.data(), id.size());
  hello[kStreamAt] = stream;
  std::memcpy(hello.data() + kNonceAt, nonce.data(), nonce.size());
  const Digest mac = hello_mac(key, hello);
  std::memcpy(hello.data() + kMacAt, mac.data(), mac.size());
  return hello;
}

Answer make_answer(const Key& key, const Hello& hello, const Nonce& nonce) {
  Answer answer{};
  std::memcpy(answer.data(), nonce.data(), nonce.size());
  const Digest mac = answer_mac(key, hello, nonce.data());
  std::memcpy(answer.data() + nonce.size(), mac.data(), mac.size());
  return answer;
}

bool hello_proves(const Key& key, const Hello& hello) {
  const Digest mac = hello_mac(key, hello);
  return std::memcmp(hello.data(), kMagic.data(), kMagic.size()) == 0 &&
         equal_in_constant_time(mac.data(), hello.data() + kMacAt, mac.size());
}

bool answer_proves(const Key& key, const Hello& hello, const Answer& answer) {
  const Digest mac = answer_mac(key, hello, answer.data());
  return equal_in_constant_time(mac.data(), answer.data() + sizeof(Nonce), mac.size());
}

WireId id_of(const Hello& hello) {
  WireId id;
  std::memcpy(id.data(), hello.data() + kIdAt, id.size());
  return id;
}

std::uint8_t stream_of(const Hello& hello) { return hello[kStreamAt]; }

bool make_nonce(Nonce& nonce) {
  // The library's own getrandom came with glibc 2.25.
  return syscall(SYS_getrandom, nonce.data(), nonce.size(), 0) == static_cast<long>(nonce.size());
}

}  // namespace gpumark::link
