// The handshake by which two ends of a link prove that they hold its key. The protocol is in protocol.md.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "link/sha256.h"

namespace gpumark::link {

inline constexpr std::size_t kIdBytes = 32;
inline constexpr std::size_t kHelloBytes = 89;
inline constexpr std::size_t kAnswerBytes = 48;
inline constexpr std::array<std::uint8_t, 8> kMagic = {'G', 'M', 'L', 'I', 'N', 'K', '1', '\n'};

using WireId = std::array<std::uint8_t, kIdBytes>;
using Nonce = std::array<std::uint8_t, 16>;
using Hello = std::array<std::uint8_t, kHelloBytes>;
using Answer = std::array<std::uint8_t, kAnswerBytes>;

/** 32 bytes known only to the coordinator and the two ends of one slot. Wiped on destruction. */
class Key {
 public:
  Key() = default;
  ~Key() { wipe(bytes.data(), bytes.size()); }
  Key(const Key&) = default;
  Key& operator=(const Key&) = default;
  std::array<std::uint8_t, 32> bytes{};
};

/** From 64 hex digits; false on anything else. */
bool read_key(std::string_view hex, Key& key);
/** Padded with zeros; the id has 1 to 32 bytes. */
WireId wire_id(std::string_view id);

/** magic | id | stream | nonce | HMAC(key, "dial" | id | stream | nonce) */
Hello make_hello(const Key& key, const WireId& id, std::uint8_t stream, const Nonce& nonce);
/** nonce_b | HMAC(key, "listen" | id | stream | nonce_a | nonce_b), in answer to an authenticated hello. */
Answer make_answer(const Key& key, const Hello& hello, const Nonce& nonce);
bool hello_proves(const Key& key, const Hello& hello);
bool answer_proves(const Key& key, const Hello& hello, const Answer& answer);

WireId id_of(const Hello& hello);
std::uint8_t stream_of(const Hello& hello);
/** False only if the kernel cannot supply random bytes. */
bool make_nonce(Nonce& nonce);

}  // namespace gpumark::link
