// The link's pure parts: hashes against published vectors, the handshake, addresses, windows, the sender's pace,
// command lines.
#include <cmath>
#include <cstring>
#include <string>

#include "link/address.h"
#include "link/arrivals.h"
#include "link/command.h"
#include "link/handshake.h"
#include "link/pace.h"
#include "link/ping-pong.h"
#include "unit-tests.h"

using namespace gpumark::link;

namespace {

std::string hex(const Digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string hash(const std::string& text) {
  Sha256 sha;
  sha.add(text.data(), text.size());
  return hex(sha.finish());
}

std::string hmac(const std::string& key, const std::string& text) {
  HmacSha256 mac(key.data(), key.size());
  mac.add(text.data(), text.size());
  return hex(mac.finish());
}

/** The examples of FIPS 180 (one block, two blocks, a million letters) and the empty message. */
void hashes() {
  check(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "SHA-256 of nothing");
  check(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "SHA-256 of abc");
  check(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        "SHA-256 of two blocks");
  check(hash(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        "SHA-256 of a million a");
}

/** RFC 4231, cases 1 to 4, 6 and 7. */
void macs() {
  check(hmac(std::string(20, '\x0b'), "Hi There") == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        "RFC 4231 case 1");
  check(hmac("Jefe", "what do ya want for nothing?") ==
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        "RFC 4231 case 2");
  check(hmac(std::string(20, '\xaa'), std::string(50, '\xdd')) ==
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
        "RFC 4231 case 3");
  std::string counting;
  for (char c = 1; c <= 25; ++c) counting += c;
  check(hmac(counting, std::string(50, '\xcd')) == "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
        "RFC 4231 case 4");
  const std::string long_key(131, '\xaa');
  check(hmac(long_key, "Test Using Larger Than Block-Size Key - Hash Key First") ==
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        "RFC 4231 case 6");
  check(hmac(long_key,
             "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
             "hashed before being used by the HMAC algorithm.") ==
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
        "RFC 4231 case 7");
}

void handshakes() {
  Key key, other;
  check(read_key(std::string(64, '5'), key) && key.bytes[31] == 0x55, "64 digits are a key");
  check(!read_key(std::string(63, '5'), other) && !read_key(std::string(63, '5') + "G", other) &&
            !read_key(std::string(64, 'A'), other),
        "anything else is refused");
  const Nonce nonce = {1, 2, 3};
  const Hello hello = make_hello(key, wire_id("17.1"), 3, nonce);
  check(stream_of(hello) == 3 && id_of(hello) == wire_id("17.1"), "a hello names its id and stream");
  check(hello_proves(key, hello) && !hello_proves(other, hello), "only its key proves a hello");
  bool any = false;
  for (std::size_t i = 0; i < hello.size(); ++i) {
    Hello spoiled = hello;
    spoiled[i] ^= 1;
    any = any || hello_proves(key, spoiled);
  }
  check(!any, "a hello with any bit changed proves nothing");
  const Answer answer = make_answer(key, hello, {9});
  Answer spoiled = answer;
  spoiled[0] ^= 1;
  check(
      answer_proves(key, hello, answer) && !answer_proves(key, hello, spoiled) && !answer_proves(other, hello, answer),
      "only its key proves an answer");
  check(!answer_proves(key, make_hello(key, wire_id("17.1"), 4, nonce), answer), "an answer proves one hello only");
}

void addresses() {
  for (const char* ours : {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.0.1",
                           "169.254.1.1", "127.9.9.9", "fd00::1", "::1"}) {
    const auto address = parse_address(ours);
    check(address && !is_public(*address) && format_address(*address) == ours, ours);
  }
  for (const char* theirs : {"8.8.8.8", "172.32.0.1", "172.15.0.1", "100.128.0.1", "100.63.255.255", "192.169.0.1",
                             "11.0.0.1", "2001:db8::1", "fec0::1"}) {
    const auto address = parse_address(theirs);
    check(address && is_public(*address), theirs);
  }
  for (const char* nobody : {"", "0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "ff02::1", "::ffff:10.0.0.1",
                             "10.0.0", "host", "10.0.0.1 ", "1::2::3"})
    check(!parse_address(nobody), nobody);
  const auto six = parse_endpoint("[fd00::1]:4711");
  check(six && six->port() == 4711 && !is_public(*six), "an IPv6 endpoint");
  check(!parse_endpoint("fd00::1:4711") && !parse_endpoint("[10.0.0.1]:1") && !parse_endpoint("10.0.0.1:0") &&
            !parse_endpoint("10.0.0.1:65536"),
        "no endpoints");
}

/** 1,000 bytes every millisecond are 0.008 Gb/s. */
void windows() {
  Arrivals steady, half;
  for (int ms = 1; ms <= 1000; ++ms) steady.add(ms * kMillisecond, static_cast<std::uint64_t>(ms) * 1000);
  for (int ms = 1; ms <= 1000; ms += 50) half.add(ms * kMillisecond, static_cast<std::uint64_t>(ms) * 500);
  check(std::fabs(steady.bytes_at(500500000) - 500500) < 1e-6, "between two receives the bytes are evenly spread");
  const Window window{300 * kMillisecond, 600 * kMillisecond, 2000 * kMillisecond};
  const auto one = rate_of({&steady}, window, Ending::unknown);
  check(one && std::fabs(one->gbps - 0.008) < 1e-12 && one->bytes == 600000 && one->window_ms == 600,
        "600 ms of a steady stream");
  const auto both = rate_of({&steady, &half}, window, Ending::unknown);
  check(both && std::fabs(both->gbps - 0.012) < 1e-12,
        "streams share the window; one that comes in lumps of 50 ms counts as what it is");
  const Window longer{300 * kMillisecond, 800 * kMillisecond, 2000 * kMillisecond};
  check(!rate_of({&steady}, longer, Ending::unknown), "bytes that stop within the window for no reason give no rate");
  const auto ended = rate_of({&steady}, longer, Ending::complete);
  check(ended && std::fabs(ended->gbps - 0.008) < 1e-12 && ended->window_ms == 699,
        "a sender that ended shortens the window to its last byte");
  // The first byte is at 1 ms, so the window is 301 to 1,101 ms: 1,000,000 - 301,000 bytes, the last 101 ms silent.
  const auto stalled = rate_of({&steady}, longer, Ending::stalled);
  check(stalled && stalled->window_ms == 800 && stalled->bytes == 699000 &&
            std::fabs(stalled->gbps - 699000 * 8 / 800e6) < 1e-12,
        "a stall counts as time of the window");
  const auto quick =
      rate_of({&steady}, Window{2000 * kMillisecond, 4000 * kMillisecond, 9000 * kMillisecond}, Ending::complete);
  check(quick && std::fabs(quick->window_ms - 666) < 1e-9, "ended within the warm-up: from a third of what there was");
  check(!rate_of({}, window, Ending::complete), "nothing gives no rate");
}

void pace() {
  // 20 Mb/s are 0.0025 bytes per ns: 100 ms of it are 250,000 bytes.
  Pace slow(0, 1);
  std::uint64_t acknowledged = 0;
  for (Ns now = 10 * kMillisecond; now <= 100 * kMillisecond; now += 10 * kMillisecond)
    slow.look(now, acknowledged += 25000, 0);
  check(slow.limited() && slow.most() > 240000 && slow.most() < 260000, "a slow link queues 100 ms");
  check(slow.write_bytes() == 8192, "and is written to in small pieces");
  Pace fast(0, 1);
  fast.look(10 * kMillisecond, 100000000, 0);
  check(fast.limited() && fast.most() == 256 << 10, "a fast first look doubles the limit, no more");
  for (std::uint64_t look = 2; look <= 6; ++look)
    fast.look(static_cast<Ns>(look) * 10 * kMillisecond, look * 100000000, 0);
  check(!fast.limited() && fast.write_bytes() == 1 << 20, "six looks leave a fast link to the kernel's buffers");
  fast.look(70 * kMillisecond, 600000000, 0);
  check(!fast.limited(), "one silent moment changes little");
}

void round_trips() {
  std::vector<Ns> samples;
  for (int i = 1000; i >= 1; --i) samples.push_back(i * 1000);
  const auto all = summarise(samples);
  // Nearest rank of 1..1000: 0.5 x 1000 = 500th, 0.99 x 1000 = 990th.
  check(all && all->min == 1 && all->p50 == 500 && all->p99 == 990 && all->max == 1000 && all->samples == 1000,
        "percentiles of 1 to 1,000 us");
  check(!summarise({}), "no pings, no round trip");
}

}  // namespace

void check_link() {
  hashes();
  macs();
  handshakes();
  addresses();
  windows();
  pace();
  round_trips();
  check(shown("listen") == "listen" && shown(std::string(64, 'a')) == "?" && shown("a1") == "?",
        "what may be a key is not said again");
}
