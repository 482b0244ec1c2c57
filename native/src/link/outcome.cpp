#include "link/outcome.h"

#include <cerrno>
#include <utility>

namespace gpumark::link {
namespace {

constexpr std::pair<int, const char*> kNames[] = {
    {EACCES, "EACCES"},
    {EADDRINUSE, "EADDRINUSE"},
    {EADDRNOTAVAIL, "EADDRNOTAVAIL"},
    {EAFNOSUPPORT, "EAFNOSUPPORT"},
    {EALREADY, "EALREADY"},
    {ECONNABORTED, "ECONNABORTED"},
    {ECONNREFUSED, "ECONNREFUSED"},
    {ECONNRESET, "ECONNRESET"},
    {EHOSTDOWN, "EHOSTDOWN"},
    {EHOSTUNREACH, "EHOSTUNREACH"},
    {EINVAL, "EINVAL"},
    {EMFILE, "EMFILE"},
    {EMSGSIZE, "EMSGSIZE"},
    {ENETDOWN, "ENETDOWN"},
    {ENETUNREACH, "ENETUNREACH"},
    {ENFILE, "ENFILE"},
    {ENOBUFS, "ENOBUFS"},
    {ENODEV, "ENODEV"},
    {ENOMEM, "ENOMEM"},
    {ENOTCONN, "ENOTCONN"},
    {EPERM, "EPERM"},
    {EPIPE, "EPIPE"},
    {EPROTO, "EPROTO"},
    {ETIMEDOUT, "ETIMEDOUT"},
};

}  // namespace

const char* word_of(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::unreachable: return "unreachable";
    case Status::refused: return "refused";
    case Status::auth_failed: return "auth_failed";
    case Status::timeout: return "timeout";
    case Status::closed: return "closed";
    default: return "transport_error";
  }
}

const char* word_of(Stage stage) {
  switch (stage) {
    case Stage::connect: return "connect";
    case Stage::prove: return "prove";
    case Stage::ping: return "ping";
    case Stage::forward: return "forward";
    case Stage::reverse: return "reverse";
    default: return "report";
  }
}

std::string errno_name(int error) {
  for (const auto& [number, name] : kNames) {
    if (number == error) return name;
  }
  return "E" + std::to_string(error);
}

Outcome connect_failure(int error) {
  switch (error) {
    case ECONNREFUSED: return {Status::refused, Stage::connect, errno_name(error)};
    case ECANCELED: return cancelled(Stage::connect);
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case EHOSTDOWN:
    case ENETUNREACH:
    case ENETDOWN: return {Status::unreachable, Stage::connect, errno_name(error)};
    default: return {Status::transport_error, Stage::connect, errno_name(error)};
  }
}

Outcome broken(Stage stage, int error) {
  if (error == 0) return {Status::closed, stage, ""};
  if (error == ECONNRESET || error == EPIPE) return {Status::closed, stage, "ECONNRESET"};
  if (error == ETIMEDOUT) return {Status::timeout, stage, errno_name(error)};
  return {Status::transport_error, stage, errno_name(error)};
}

Outcome timed_out(Stage stage) { return {Status::timeout, stage, ""}; }
Outcome cancelled(Stage stage) { return {Status::closed, stage, "CANCELLED"}; }

}  // namespace gpumark::link
