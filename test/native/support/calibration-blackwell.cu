// Tiny kernels for sm_100a of which it is known what machine code has to be in them, for
// images-matrix-blackwell.test.ts.
struct Args {
  unsigned* out;
  unsigned long long a, b;
  unsigned sums, types;
};

#define MULTIPLY(name, kind)                                                                            \
  extern "C" __global__ void name(const Args a) {                                                       \
    _Pragma("unroll") for (int i = 0; i < 3; ++i) asm volatile(                                         \
        "tcgen05.mma.cta_group::1.kind::" kind " [%0], %1, %2, %3, 1;" ::"r"(a.sums), "l"(a.a + 2 * i), \
        "l"(a.b + 2 * i), "r"(a.types) : "memory");                                                     \
  }
MULTIPLY(multiply_f16, "f16")
MULTIPLY(multiply_tf32, "tf32")
MULTIPLY(multiply_f8, "f8f6f4")

extern "C" __global__ void load_sums(const Args a) {
  unsigned word;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];\n\ttcgen05.wait::ld.sync.aligned;"
               : "=r"(word)
               : "r"(a.sums)
               : "memory");
  a.out[threadIdx.x] = word;
}
