#pragma once
#include <netinet/in.h>

#include <string>
#include <vector>

/// A captured handshake of another host: its destination and its bytes.
struct Overheard {
  sockaddr_in to;
  std::vector<char> bytes;
};

/// A socket that captures every frame on the switch's ports in that namespace.
int openEar(const std::string& switch_namespace);
/// The next handshake that the socket has captured; false if there is none.
bool overhear(int ear, Overheard& found);
