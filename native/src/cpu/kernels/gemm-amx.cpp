// bf16 and fp16 by AMX: two tiles of A (16 rows of 32 ks) times two of B (16 pairs of ks of 16 columns) into four of C
// (16 x 16 sums), so that each tile that is loaded is used twice. Registers: tmm0-3 C, tmm4-5 A, tmm6-7 B. The compiler
// does not track tile registers in inline assembly, and uses none itself.
#include "cpu/kernels/kernel-set.h"

namespace gpumark {
namespace {

constexpr std::size_t kRowBytes = 64;
constexpr std::size_t kTileBytes = 16 * kRowBytes;

/** Palette 1, eight tiles of 16 rows of 64 bytes. */
struct alignas(64) TileConfig {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64, "the format of ldtilecfg");

void configure_tiles() {
  static const TileConfig config;
  __asm__ volatile("ldtilecfg %0" ::"m"(config));
}

void release_tiles() { __asm__ volatile("tilerelease" ::: "memory"); }

#define GPUMARK_LOAD_TILE(tile, address, stride) \
  __asm__ volatile("tileloadd (%0,%1,1), %%" #tile ::"r"(address), "r"(stride) : "memory")
#define GPUMARK_STORE_TILE(tile, address, stride) \
  __asm__ volatile("tilestored %%" #tile ", (%0,%1,1)" ::"r"(address), "r"(stride) : "memory")

struct Bf16Tiles {
  static void multiply() {
    __asm__ volatile(
        "tdpbf16ps %tmm6, %tmm4, %tmm0\n\t"
        "tdpbf16ps %tmm7, %tmm4, %tmm1\n\t"
        "tdpbf16ps %tmm6, %tmm5, %tmm2\n\t"
        "tdpbf16ps %tmm7, %tmm5, %tmm3");
  }
};

/**
 * The same four as tdpfp16ps, encoded as bytes: assemblers before binutils 2.40 lack it. Only the prefix (F2 for F3)
 * differs.
 */
struct Fp16Tiles {
  static void multiply() {
    __asm__ volatile(
        ".byte 0xc4,0xe2,0x4b,0x5c,0xc4\n\t"
        ".byte 0xc4,0xe2,0x43,0x5c,0xcc\n\t"
        ".byte 0xc4,0xe2,0x4b,0x5c,0xd5\n\t"
        ".byte 0xc4,0xe2,0x43,0x5c,0xdd");
  }
};

void load_sums(const char* c, std::size_t row_stride) {
  GPUMARK_LOAD_TILE(tmm0, c, row_stride);
  GPUMARK_LOAD_TILE(tmm1, c + kRowBytes, row_stride);
  GPUMARK_LOAD_TILE(tmm2, c + 16 * row_stride, row_stride);
  GPUMARK_LOAD_TILE(tmm3, c + 16 * row_stride + kRowBytes, row_stride);
}

void store_sums(char* c, std::size_t row_stride) {
  GPUMARK_STORE_TILE(tmm0, c, row_stride);
  GPUMARK_STORE_TILE(tmm1, c + kRowBytes, row_stride);
  GPUMARK_STORE_TILE(tmm2, c + 16 * row_stride, row_stride);
  GPUMARK_STORE_TILE(tmm3, c + 16 * row_stride + kRowBytes, row_stride);
}

template <class Tiles>
void amx_tile(std::size_t steps, const void* packed_a, const void* packed_b, void* c_start, std::size_t ldc,
              int accumulate, const void*) {
  const auto* a = static_cast<const char*>(packed_a);
  const auto* b = static_cast<const char*>(packed_b);
  auto* c = static_cast<char*>(c_start);
  if (accumulate) {
    load_sums(c, ldc * sizeof(float));
  } else {
    __asm__ volatile("tilezero %tmm0\n\ttilezero %tmm1\n\ttilezero %tmm2\n\ttilezero %tmm3");
  }
  for (std::size_t step = 0; step < steps; ++step) {
    GPUMARK_LOAD_TILE(tmm4, a, kRowBytes);
    GPUMARK_LOAD_TILE(tmm6, b, 2 * kRowBytes);
    GPUMARK_LOAD_TILE(tmm7, b + kRowBytes, 2 * kRowBytes);
    GPUMARK_LOAD_TILE(tmm5, a + kTileBytes, kRowBytes);
    Tiles::multiply();
    a += 2 * kTileBytes;
    b += 2 * kTileBytes;
  }
  store_sums(c, ldc * sizeof(float));
}

}  // namespace

extern const GemmKernel kGemmAmxBf16[] = {{"amx-bf16-32x32", 32, 32, amx_tile<Bf16Tiles>, "amx-bf16", 32, 2,
                                           convert_bf16_avx512, configure_tiles, release_tiles},
                                          {nullptr, 0, 0, nullptr}};
extern const GemmKernel kGemmAmxFp16[] = {{"amx-fp16-32x32", 32, 32, amx_tile<Fp16Tiles>, "amx-fp16", 32, 2,
                                           convert_fp16_avx512, configure_tiles, release_tiles},
                                          {nullptr, 0, 0, nullptr}};

}  // namespace gpumark
