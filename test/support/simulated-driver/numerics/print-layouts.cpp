#include "numerics/print-layouts.h"

#include <cstdio>

#include "matrix/mfma-simulated.h"
#include "matrix/wmma-simulated.h"

namespace gpumark::numerics {
namespace {

using namespace device;

template <class Table>
void print(const char* instruction) {
  const auto line = [&](char matrix, u32 lane, u32 place, u32 row, u32 column) {
    std::printf("%s %c %u %u %u %u\n", instruction, matrix, lane, place, row, column);
  };
  for (u32 lane = 0; lane < Table::kLanes; ++lane) {
    for (u32 i = 0; i < Table::kEach; ++i) {
      line('A', lane, i, Table::line(lane), Table::k(lane, i));
      line('B', lane, i, Table::k(lane, i), Table::line(lane));
    }
    for (u32 i = 0; i < Table::kResults; ++i) line('D', lane, i, Table::row(lane, i), Table::column(lane));
  }
}

}  // namespace

void print_layouts() {
  print<MfmaTable<UnitNumber::fp16, 8>>("cdna2-v_mfma_f32_32x32x8f16");
  print<MfmaTable<UnitNumber::bf16, 8>>("cdna2-v_mfma_f32_32x32x8bf16_1k");
  print<MfmaTableFp64>("cdna2-v_mfma_f64_16x16x4f64");
  print<MfmaTable<UnitNumber::fp16, 8>>("cdna3-v_mfma_f32_32x32x8_f16");
  print<MfmaTable<UnitNumber::bf16, 8>>("cdna3-v_mfma_f32_32x32x8_bf16");
  print<MfmaTable<UnitNumber::e4m3_fnuz, 16>>("cdna3-v_mfma_f32_32x32x16_fp8_fp8");
  print<MfmaTable<UnitNumber::xf32, 4>>("cdna3-v_mfma_f32_32x32x4_xf32");
  print<MfmaTableFp64>("cdna3-v_mfma_f64_16x16x4_f64");
  // For these there is a formula from AMD, but no table to compare with.
  print<MfmaTable<UnitNumber::fp32, 2>>("cdna3-v_mfma_f32_32x32x2_f32");
  print<MfmaTable<UnitNumber::fp16, 16>>("cdna4-v_mfma_f32_32x32x16_f16");
  print<MfmaTable<UnitNumber::bf16, 16>>("cdna4-v_mfma_f32_32x32x16_bf16");
  print<MfmaTableFp8Wide>("cdna4-v_mfma_f32_32x32x64_f8f6f4");
  print_scaled_layouts();
  print<WmmaTableGfx11<UnitNumber::fp16>>("rdna3-v_wmma_f32_16x16x16_f16");
  print<WmmaTableGfx11<UnitNumber::bf16>>("rdna3-v_wmma_f32_16x16x16_bf16");
  print<WmmaTableGfx12<UnitNumber::fp16>>("rdna4-v_wmma_f32_16x16x16_f16");
  print<WmmaTableGfx12<UnitNumber::bf16>>("rdna4-v_wmma_f32_16x16x16_bf16");
  print<WmmaTableGfx12<UnitNumber::e4m3>>("rdna4-v_wmma_f32_16x16x16_fp8_fp8");
}

}  // namespace gpumark::numerics
