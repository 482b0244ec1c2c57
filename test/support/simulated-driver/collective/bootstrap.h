// How the ranks find each other: the process that made the id listens, as with the real library, until every rank has
// come.
#pragma once
#include <cstdint>
#include <netinet/in.h>
#include <vector>

namespace gpumark::sim::collective {

/** The 128 bytes of an id: where its maker listens, and a secret. */
struct Id {
  char mark[8];
  std::uint64_t magic;
  sockaddr_in root;
  char unused[128 - 16 - sizeof(sockaddr_in)];
};
static_assert(sizeof(Id) == 128);

/** Starts the thread that brings the ranks together. */
bool make_id(Id& id);
/**
 * Blocks until all ranks are there. Of rank 0: its sockets to ranks 1, 2, …; of the others: the one to rank 0. Empty
 * after a failure.
 */
std::vector<int> meet(const Id& id, int rank, int ranks);

}  // namespace gpumark::sim::collective
