// Tiny kernels of which it is known what machine code has to be in them, for images-matrix-lanes.test.ts: three of each
// instruction.
struct Args {
  float* out;
  const float* in;
  unsigned shared;
};

extern "C" __global__ void load_quads(const Args a) {
  float x, y, z, w, sum = 0;
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                 : "r"(a.shared + 512 * i)
                 : "memory");
    sum += x + y + z + w;
  }
  a.out[threadIdx.x] = sum;
}
extern "C" __global__ void store_words(const Args a) {
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) asm volatile("st.shared.u32 [%0], %1;" ::"r"(a.shared + 4 * i), "r"(i) : "memory");
}
extern "C" __global__ void copy_words(const Args a) {
#pragma unroll
  for (unsigned i = 0; i < 3; ++i)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(a.shared + 4 * i), "l"(a.in + i) : "memory");
}
extern "C" __global__ void wait_for_all(const Args a) {
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) {
    __syncthreads();
    a.out[threadIdx.x + i] = 0;
  }
}
