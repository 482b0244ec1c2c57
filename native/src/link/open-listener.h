#pragma once
#include "link/address.h"
#include "link/socket.h"

namespace gpumark::link {

/**
 * Binds and listens on the first free port of first..last (0, 0: one of the kernel's); 0 or an errno. `address` gets
 * the port.
 */
int open_listener(Address& address, int first, int last, Socket& socket);

}  // namespace gpumark::link
