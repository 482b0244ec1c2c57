// Which vector instructions this processor has and this kernel lets us use. Never guessed from the model name.
#pragma once
#include <string>
#include <vector>

namespace gpumark {

struct CpuFeatures {
  bool sse2 = false;
  bool avx2 = false;
  bool avx512f = false;
  bool avx512_bf16 = false;
  bool avx512_fp16 = false;
  /** With the system's permission to use the tiles, which detection asks for. */
  bool amx_bf16 = false;
  bool amx_fp16 = false;
  /** AMX is there and the permission is not. */
  bool amx_refused = false;
  bool neon = false;
  bool neon_fp16 = false;
  bool neon_fhm = false;
  bool neon_bf16 = false;
  bool sve = false;

  std::vector<std::string> names() const;
};

CpuFeatures detect_cpu_features();
/** Marketing name, or "unknown CPU". */
std::string cpu_model_name();

}  // namespace gpumark
