// TCP between the ranks. A failed call returns false or -1; the reason is not needed.
#pragma once
#include <cstddef>
#include <netinet/in.h>

namespace gpumark::sim::collective {

/** Listens on own_address() and a free port, and stores both in `address`. */
int listen_on_own(sockaddr_in& address);
int accept_one(int listener);
int connect_to(const sockaddr_in& address);
bool send_all(int socket, const void* data, std::size_t bytes);
bool receive_all(int socket, void* data, std::size_t bytes);

}  // namespace gpumark::sim::collective
