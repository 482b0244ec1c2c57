// TCP between the ranks. A failed call gives false or -1; nobody needs to know why.
#pragma once
#include <cstddef>
#include <netinet/in.h>

namespace gpumark::sim::collective {

/** On own_address() and a free port, which `address` becomes. */
int listen_on_own(sockaddr_in& address);
int accept_one(int listener);
int connect_to(const sockaddr_in& address);
bool send_all(int socket, const void* data, std::size_t bytes);
bool receive_all(int socket, void* data, std::size_t bytes);

}  // namespace gpumark::sim::collective
