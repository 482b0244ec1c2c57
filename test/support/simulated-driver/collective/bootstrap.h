// How the ranks find each other: as with the real library, the process that created the id listens until every rank has
// connected.
#pragma once
#include <cstdint>
#include <netinet/in.h>
#include <vector>

namespace gpumark::sim::collective {

/** The 128 bytes of an id: the address on which its creator listens, and a secret. */
struct Id {
  char mark[8];
  std::uint64_t magic;
  sockaddr_in root;
  char unused[128 - 16 - sizeof(sockaddr_in)];
};
static_assert(sizeof(Id) == 128);

/** Creates an id and starts the thread that brings the ranks together. */
bool make_id(Id& id);
/**
 * Blocks until all ranks have connected. @returns on rank 0, its sockets to ranks 1, 2, …; on the others, the one to
 * rank 0; empty after a failure
 */
std::vector<int> meet(const Id& id, int rank, int ranks);

}  // namespace gpumark::sim::collective
