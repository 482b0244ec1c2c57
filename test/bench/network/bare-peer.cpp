// The floor that links are compared with: blocking sockets, one thread per stream, 1 MiB per call, nothing else.
//   bare-peer receive ADDRESS STREAMS WARM_MS MEASURED_MS   prints its port, then the Gb/s of each run, indefinitely
//   bare-peer send ADDRESS PORT STREAMS MS
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kBytes = 1 << 20;

sockaddr_in address_of(const char* host, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, host, &address.sin_addr);
  return address;
}

double receive_run(int listener, int streams, std::chrono::milliseconds warm, std::chrono::milliseconds measured) {
  std::vector<int> fds;
  for (int i = 0; i < streams; ++i) fds.push_back(accept(listener, nullptr, nullptr));
  const Clock::time_point begin = Clock::now() + warm, end = begin + measured;
  std::atomic<long long> counted{0};
  std::vector<std::thread> threads;
  for (const int fd : fds) {
    threads.emplace_back([&, fd] {
      std::vector<char> buffer(kBytes);
      for (ssize_t n; (n = recv(fd, buffer.data(), buffer.size(), 0)) > 0;) {
        const Clock::time_point now = Clock::now();
        if (now >= begin && now < end) counted += n;
      }
      close(fd);
    });
  }
  for (std::thread& one : threads) one.join();
  return static_cast<double>(counted) * 8 / std::chrono::duration<double>(measured).count() / 1e9;
}

int receive(const char* host, int streams, int warm_ms, int measured_ms) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = address_of(host, 0);
  socklen_t length = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(listener, 64) != 0) return 1;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  std::printf("%d\n", ntohs(address.sin_port));
  for (;;) {
    std::fflush(stdout);
    std::printf("%.4f\n", receive_run(listener, streams, std::chrono::milliseconds(warm_ms), std::chrono::milliseconds(measured_ms)));
  }
}

int send_run(const char* host, int port, int streams, int ms) {
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(ms);
  std::vector<int> fds;
  for (int i = 0; i < streams; ++i) {
    const sockaddr_in address = address_of(host, port);
    fds.push_back(socket(AF_INET, SOCK_STREAM, 0));
    if (connect(fds.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 1;
  }
  const std::vector<char> payload(kBytes, 'g');
  std::vector<std::thread> threads;
  for (const int fd : fds) {
    threads.emplace_back([&, fd] {
      while (Clock::now() < end && send(fd, payload.data(), payload.size(), MSG_NOSIGNAL) > 0) continue;
      close(fd);
    });
  }
  for (std::thread& one : threads) one.join();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 6 && std::strcmp(argv[1], "receive") == 0) return receive(argv[2], std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]));
  if (argc == 6 && std::strcmp(argv[1], "send") == 0) return send_run(argv[2], std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]));
  return 2;
}
