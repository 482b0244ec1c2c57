#include "own-process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace gpumark {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(const std::string& shown) {
  std::vector<std::string> environment;
  const std::size_t name = shown.find('=') + 1;
  for (char** one = environ; *one; ++one) {
    if (shown.empty() || std::strncmp(*one, shown.c_str(), name) != 0) environment.emplace_back(*one);
  }
  if (!shown.empty()) environment.push_back(shown);
  return environment;
}

std::string failed(const char* call, int code) { return std::string(call) + ": " + std::strerror(code); }

}  // namespace

OwnProcess::~OwnProcess() {
  if (pid_ > 0) {
    signal(SIGKILL);
    wait();
  }
  close_input();
  if (out_ >= 0) close(out_);
}

std::string OwnProcess::start(const std::vector<std::string>& words, const std::string& shown) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0) return failed("pipe", errno);
  if (pipe2(out, O_CLOEXEC) != 0) {
    const int code = errno;
    close(in[0]), close(in[1]);
    return failed("pipe", code);
  }
  in_ = in[1];
  out_ = out[0];
  std::vector<std::string> all = {"gpumark-runner"}, environment = environment_with(shown);
  all.insert(all.end(), words.begin(), words.end());
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
  std::vector<char*> arguments = pointers(all), variables = pointers(environment);
  const int code = posix_spawn(&pid_, "/proc/self/exe", &files, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&files);
  close(in[0]);
  close(out[1]);
  if (code == 0) return "";
  pid_ = -1;
  return failed("posix_spawn", code);
}

void OwnProcess::tell(unsigned char byte) {
  while (write(in_, &byte, 1) < 0 && errno == EINTR) continue;
}

void OwnProcess::close_input() {
  if (in_ >= 0) close(std::exchange(in_, -1));
}

OwnProcess::Read OwnProcess::read_line(std::string& line, int milliseconds) {
  for (;;) {
    const std::size_t end = rest_.find('\n');
    if (end != std::string::npos) {
      line = rest_.substr(0, end);
      rest_.erase(0, end + 1);
      return Read::line;
    }
    pollfd look = {out_, POLLIN, 0};
    if (poll(&look, 1, milliseconds) <= 0) return Read::nothing;
    char bytes[16384];
    const ssize_t got = read(out_, bytes, sizeof bytes);
    if (got > 0) {
      rest_.append(bytes, static_cast<std::size_t>(got));
    } else if (got == 0 || errno != EINTR) {
      return Read::end;
    }
  }
}

void OwnProcess::signal(int number) {
  if (pid_ > 0) kill(pid_, number);
}

int OwnProcess::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  pid_ = -1;
  return status;
}

}  // namespace gpumark
