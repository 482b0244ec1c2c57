#include "collective/bootstrap.h"

#include <cstring>
#include <sys/random.h>
#include <thread>
#include <unistd.h>

#include "collective/wire.h"

namespace gpumark::sim::collective {
namespace {

constexpr char kMark[] = "GMSIMCOL";

struct Hello {
  std::uint64_t magic;
  std::int32_t rank, ranks;
  /** Address on which rank 0 accepts the other ranks' connections; unused in messages of other ranks. */
  sockaddr_in hub;
};

/** Takes one hello from each rank, then sends the hub's address to all. Unknown peers are disconnected. */
void serve(int listener, std::uint64_t magic) {
  std::vector<int> sockets;
  sockaddr_in hub{};
  std::size_t here = 0;
  while (sockets.empty() || here < sockets.size()) {
    const int socket = accept_one(listener);
    if (socket < 0) return;
    Hello hello{};
    const bool valid = receive_all(socket, &hello, sizeof hello) && hello.magic == magic && hello.ranks > 0 &&
                       hello.rank >= 0 && hello.rank < hello.ranks &&
                       (sockets.empty() || sockets.size() == static_cast<std::size_t>(hello.ranks));
    if (valid && sockets.empty()) sockets.assign(static_cast<std::size_t>(hello.ranks), -1);
    if (!valid || sockets[static_cast<std::size_t>(hello.rank)] >= 0) {
      close(socket);
      continue;
    }
    sockets[static_cast<std::size_t>(hello.rank)] = socket;
    if (hello.rank == 0) hub = hello.hub;
    ++here;
  }
  for (const int socket : sockets) {
    send_all(socket, &hub, sizeof hub);
    close(socket);
  }
  close(listener);
}

}  // namespace

bool make_id(Id& id) {
  id = {};
  std::memcpy(id.mark, kMark, sizeof id.mark);
  if (getrandom(&id.magic, sizeof id.magic, 0) != sizeof id.magic) return false;
  const int listener = listen_on_own(id.root);
  if (listener < 0) return false;
  std::thread(serve, listener, id.magic).detach();
  return true;
}

std::vector<int> meet(const Id& id, int rank, int ranks) {
  if (std::memcmp(id.mark, kMark, sizeof id.mark) != 0) return {};
  Hello hello{id.magic, rank, ranks, {}};
  const int listener = rank == 0 ? listen_on_own(hello.hub) : -1;
  const int root = connect_to(id.root);
  sockaddr_in hub{};
  if (root < 0 || !send_all(root, &hello, sizeof hello) || !receive_all(root, &hub, sizeof hub)) return {};
  close(root);
  if (rank != 0) {
    const int socket = connect_to(hub);
    if (socket < 0 || !send_all(socket, &hello, sizeof hello)) return {};
    return {socket};
  }
  std::vector<int> peers(static_cast<std::size_t>(ranks) - 1, -1);
  for (std::size_t come = 0; come < peers.size();) {
    const int socket = accept_one(listener);
    Hello theirs{};
    if (socket < 0) return {};
    const bool valid = receive_all(socket, &theirs, sizeof theirs) && theirs.magic == id.magic && theirs.rank > 0 &&
                       theirs.rank < ranks;
    if (!valid || peers[static_cast<std::size_t>(theirs.rank) - 1] >= 0) {
      close(socket);
      continue;
    }
    peers[static_cast<std::size_t>(theirs.rank) - 1] = socket;
    ++come;
  }
  close(listener);
  return peers;
}

}  // namespace gpumark::sim::collective
