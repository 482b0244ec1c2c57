// A library with the right name that lacks most calls.
extern "C" __attribute__((visibility("default"))) int ncclGetVersion(int* version) {
  *version = 20000;
  return 0;
}
