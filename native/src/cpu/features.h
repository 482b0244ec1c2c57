// Which vector instructions this processor has and this kernel enables. Never guessed from the model name.
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
  /** Includes the kernel's permission to use the tiles, which detection requests. */
  bool amx_bf16 = false;
  bool amx_fp16 = false;
  /** The processor has AMX, but the kernel did not grant permission. */
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
