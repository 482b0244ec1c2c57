#pragma once
#include <netinet/in.h>

#include <string>
#include <vector>

/// A handshake that somebody else sent: where to, and its bytes.
struct Overheard {
  sockaddr_in to;
  std::vector<char> bytes;
};

/// A socket that sees every frame of the switch's ports in that namespace.
int openEar(const std::string& switch_namespace);
/// The next handshake that waits at the ear; false: none.
bool overhear(int ear, Overheard& found);
