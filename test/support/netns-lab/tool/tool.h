#pragma once
#include <netinet/in.h>

#include <chrono>
#include <string>
#include <vector>

/// The arguments of a command, without its name. Each command prints one JSON line and returns an exit status.
using Words = std::vector<std::string>;
int ping(const Words& words);
int mesh(const Words& words);
int rate(const Words& words);
int dial(const Words& words);
int wire(const Words& words);
int strangers(const Words& words);

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

/// Ends the program with a message on stderr: a lab whose tool does not work must not look healthy.
[[noreturn]] void fail(const std::string& what);

/// A socket in the named network namespace (of `ip netns`). Only the calling thread changes its namespace; fails if the
/// namespace or the privilege is missing.
int socketIn(const std::string& network_namespace, int family, int type, int protocol);

sockaddr_in addressOf(const std::string& numeric, int port);
int wholeNumber(const std::string& word);
double microsecondsSince(Clock::time_point start);
