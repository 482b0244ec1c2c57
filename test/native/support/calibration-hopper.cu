// Tiny kernels for sm_90a of which it is known what machine code has to be in them, for images-matrix-hopper.test.ts.
struct alignas(64) Map {
  unsigned long long words[16];
};
struct Args {
  float* out;
  unsigned long long a, b;
  unsigned shared, other;
};

// Three multiplications on the same four sums; one would be taken for many things.
#define MULTIPLY(name, types, transposed)                                                                          \
  extern "C" __global__ void name(const Args a) {                                                                  \
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;                                                                          \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                        \
    _Pragma("unroll") for (int i = 0; i < 3; ++i) asm volatile(                                                    \
        "wgmma.mma_async.sync.aligned.m64n8" types " {%0, %1, %2, %3}, %4, %5, 1, 1, 1" transposed ";" : "+f"(s0), \
        "+f"(s1), "+f"(s2), "+f"(s3) : "l"(a.a + 2 * i), "l"(a.b + 2 * i));                                        \
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");             \
    a.out[threadIdx.x] = s0 + s1 + s2 + s3;                                                                        \
  }
MULTIPLY(multiply_fp16, "k16.f32.f16.f16", ", 0, 0")
MULTIPLY(multiply_bf16, "k16.f32.bf16.bf16", ", 0, 0")
MULTIPLY(multiply_tf32, "k8.f32.tf32.tf32", "")
MULTIPLY(multiply_e4m3, "k32.f32.e4m3.e4m3", "")

extern "C" __global__ void copy_own(const __grid_constant__ Map map, const Args a) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%0, %0}], [%2];" ::
          "r"(a.shared),
      "l"(&map), "r"(a.other)
      : "memory");
}
extern "C" __global__ void copy_to_several(const __grid_constant__ Map map, const Args a) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, "
      "{%0, %0}], [%2], %3;" ::"r"(a.shared),
      "l"(&map), "r"(a.other), "h"((unsigned short)3)
      : "memory");
}
extern "C" __global__ void wait_for_barrier(const Args a) {
  unsigned over;
  asm volatile(
      "{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
      : "=r"(over)
      : "r"(a.shared), "r"(a.other)
      : "memory");
  a.out[threadIdx.x] = (float)over;
}
extern "C" __global__ void arrive_elsewhere(const Args a) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(a.shared) : "memory");
}
extern "C" __global__ void __launch_bounds__(256, 1) give_registers(const Args a) {
  if (threadIdx.x >= 128)
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  else
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  a.out[threadIdx.x] = 0;
}
