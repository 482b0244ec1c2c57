// The id by which the ranks of a job find each other, as text and over stdin.
#pragma once
#include <optional>
#include <string>

#include "collective/collective-table.h"

namespace gpumark {

/** 256 hexadecimal digits. */
std::string unique_id_text(const UniqueId& id);
/** nullopt unless the text is 256 lower-case hexadecimal digits. */
std::optional<UniqueId> parse_unique_id(const std::string& text);
/** Reads one line, at most 1,024 bytes; blocks until its end. */
std::string read_line(int file_descriptor);
/** Blocks until the other end has closed the descriptor; discards what it sends before. */
void wait_for_end(int file_descriptor);

}  // namespace gpumark
