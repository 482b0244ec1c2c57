// The id that joins the ranks of a job, as text and over stdin.
#pragma once
#include <optional>
#include <string>

#include "collective/collective-table.h"

namespace gpumark {

/** 256 hexadecimal digits. */
std::string unique_id_text(const UniqueId& id);
/** Nothing unless it is 256 lower-case hexadecimal digits. */
std::optional<UniqueId> parse_unique_id(const std::string& text);
/** One line of a file descriptor, at most 1,024 bytes; waits for its end. */
std::string read_line(int file_descriptor);
/** Returns once the other end has closed it, whatever comes before. */
void wait_for_end(int file_descriptor);

}  // namespace gpumark
