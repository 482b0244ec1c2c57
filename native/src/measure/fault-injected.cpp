// Linked instead of fault-none.cpp by `make faulty`: GPUMARK_FAULT names the benchmark whose output gets one wrong bit.
#include <cstdlib>
#include <cstring>

#include "measure/fault.h"

namespace gpumark {

void spoil_output(const char* name, void* data, std::size_t bytes) {
  const char* wanted = std::getenv("GPUMARK_FAULT");
  if (!wanted || std::strcmp(wanted, name) != 0 || bytes < 64) return;
  // Byte 2 of a 4-byte word holds the top of an fp32 mantissa; in an 8-byte word it is in the middle, so byte 6 is
  // changed too.
  auto* middle = static_cast<unsigned char*>(data) + bytes / 16 * 8;
  middle[2] ^= 0x40;
  middle[6] ^= 0x40;
}

}  // namespace gpumark
