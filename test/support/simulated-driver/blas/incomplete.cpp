// A library with the right name that lacks most calls, as a very old or broken installation does.
#define GPUMARK_SIM_EXPORT extern "C" __attribute__((visibility("default")))

GPUMARK_SIM_EXPORT int gpumark_simulated_library;
int gpumark_simulated_library = 1;
GPUMARK_SIM_EXPORT int cublasLtCreate(void** handle) { return handle ? 1 : 7; }
GPUMARK_SIM_EXPORT int cublasLtDestroy(void*) { return 0; }
GPUMARK_SIM_EXPORT int hipblasLtCreate(void** handle) { return handle ? 1 : 3; }
GPUMARK_SIM_EXPORT int hipblasLtDestroy(void*) { return 0; }
