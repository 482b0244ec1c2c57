// Unit checks of the runner's pure parts: prints one line per failed check, exits 1 if there was one.
#include <cmath>
#include <cstdio>
#include <string>

#include "cpu/cpu-context.h"
#include "cpu/gemm-verify.h"
#include "measure/random.h"
#include "measure/statistics.h"
#include "protocol/json-object.h"
#include "sensors/rapl.h"
#include "unit-tests.h"

using namespace gpumark;

static int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("FAILED: %s\n", what);
}

namespace {

bool near(double a, double b) { return std::fabs(a - b) <= 1e-12 * std::fmax(1, std::fabs(b)); }

void statistics() {
  // 1..5: median 3; p5 has rank 0.05 * 4 = 0.2 -> 1.2; p95 rank 3.8 -> 4.8; deviations 4 1 0 1 4, sum 10, variance 10
  // / 4.
  const Statistics s = summarize({5, 1, 4, 2, 3});
  check(s.n == 5 && s.min == 1 && s.max == 5 && s.median == 3 && s.mean == 3, "n, min, max, median and mean of 1..5");
  check(near(s.p5, 1.2) && near(s.p95, 4.8), "p5 and p95 of 1..5 by linear interpolation");
  check(near(s.cv, std::sqrt(2.5) / 3), "cv of 1..5 with n - 1");
  check(summarize({1, 2, 3, 10}).median == 2.5, "an even count takes the middle of the two");
  const Statistics one = summarize({7});
  check(one.median == 7 && one.p5 == 7 && one.p95 == 7 && one.cv == 0, "one sample is its own summary, without spread");
  check(summarize({}).n == 0, "no samples give n 0");
}

void energy_counter() {
  check(energy_between(1000, 1500, 2000) == 500, "a counter that moved on: 1500 - 1000");
  check(energy_between(1900, 300, 2000) == 400, "a counter that wrapped: (2000 - 1900) + 300");
  check(energy_between(700, 700, 2000) == 0, "a counter that stood still");
  check(energy_between(2500, 300, 2000) == 300, "a counter that was reset from beyond its range counts from 0");
}

void json() {
  check(json_quoted("a\"b\\c\n\x01") == "\"a\\\"b\\\\c\\u000a\\u0001\"",
        "quotes, backslashes and control characters are escaped");
  check(json_quoted("\xc3\xa4") == "\"\xc3\xa4\"", "UTF-8 passes");
  check(json_quoted("\xff\xc0\x80\xed\xa0\x80") == "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\"",
        "bytes that are not UTF-8 are replaced");
  check(json_number(NAN) == "null" && json_number(INFINITY) == "null", "NaN and infinity are null");
  check(json_number(25276510208.0) == "25276510208", "byte counts keep every digit");
  check(json_number(0.1234567891234) == "0.123456789", "nine significant digits");
}

void shares() {
  std::size_t at = 0;
  for (int thread = 0; thread < 7; ++thread) {
    const Share share = share_of(100000, thread, 7, 4096);
    check(share.begin == at && (share.begin % 4096 == 0), "shares follow each other on borders of the grain");
    at = share.end;
  }
  check(at == 100000, "shares cover everything");
  check(parse_cpu_list("0-2,5,9-10") == std::vector<int>({0, 1, 2, 5, 9, 10}), "CPU lists");
  check(parse_cpu_list("").empty() && parse_cpu_list("x").empty(), "unreadable CPU lists are empty");
}

void input_data() {
  double sum = 0, squares = 0;
  constexpr int n = 1000000;
  for (int i = 0; i < n; ++i) {
    const double x = random_normal(7, static_cast<std::uint64_t>(i));
    sum += x;
    squares += x * x;
  }
  // Standard errors: 1/sqrt(n) = 0.001 of the mean, about sqrt(2/n) = 0.0014 of the variance; five of each.
  check(std::fabs(sum / n) < 0.005 && std::fabs(squares / n - 1) < 0.007, "random data has mean 0 and variance 1");
  check(random_dyadic(3, 9) * 1024 == std::floor(random_dyadic(3, 9) * 1024), "dyadic data is a multiple of 1/1024");
}

/** A correct product in plain loops; then one element is spoiled by `error`. */
bool accepts(double error) {
  constexpr std::size_t n = 96;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(random_normal(1, i));
    b[i] = static_cast<float>(random_normal(2, i));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
  c[37 * n + 53] += static_cast<float>(error);
  ThreadPool pool({0, 0});
  return verify_product(pool, Product<float>{n, n, a.data(), b.data(), c.data(), n}, 11).right;
}

void gemm_verification() {
  check(accepts(0), "a product rounded like fp32 is right");
  // Elements are about sqrt(96) = 10 large with fp32 errors near 1e-6; one part in a thousand of one element must show.
  check(!accepts(0.01), "one element wrong by a thousandth is noticed");
  check(!accepts(NAN), "one NaN is noticed");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "vendor") return report_vendor_engine(argc - 1, argv + 1);
  if (argc > 1 && std::string(argv[1]) == "load") return report_loads(argc - 1, argv + 1);
  if (argc > 1 && std::string(argv[1]) == "descriptors") return print_descriptors();
  statistics();
  energy_counter();
  json();
  shares();
  input_data();
  gemm_verification();
  check_topology();
  check_cgroups();
  check_recorder();
  check_energy();
  check_sensors();
  check_processor_sensors();
  check_sensor_log();
  check_barrier();
  check_fma_units();
  check_products();
  check_emulated_kernels();
  check_vendor_search();
  check_collective();
  check_own_process();
  check_link();
  check_link_slot();
  std::printf("%s\n", failures == 0 ? "all checks passed" : "some checks failed");
  return failures == 0 ? 0 : 1;
}
