// This program once more, as a process of its own: its stdin and stdout are pipes to us, and it inherits nothing else
// but stderr.
#pragma once
#include <string>
#include <sys/types.h>
#include <vector>

namespace gpumark {

class OwnProcess {
 public:
  OwnProcess() = default;
  /** Ends the process if it still runs. */
  ~OwnProcess();
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;

  /**
   * @param words its arguments
   * @param shown NAME=VALUE, set in its environment; "" for none
   * @returns the call that failed and why, or ""
   */
  std::string start(const std::vector<std::string>& words, const std::string& shown);
  /** Writes one byte to its stdin. */
  void tell(unsigned char byte);
  void close_input();
  enum class Read { line, nothing, end };
  /** The next line of its stdout, without the line feed; `nothing` if none came within the time. */
  Read read_line(std::string& line, int milliseconds);
  void signal(int number);
  /** Waits for its end. @returns the status as of waitpid */
  int wait();

 private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  std::string rest_;
};

}  // namespace gpumark
