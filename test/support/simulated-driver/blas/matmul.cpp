#include "blas/matmul.h"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <vector>

#include "blas/settings.h"
#include "core/memory-map.h"
#include "core/pause.h"

namespace gpumark::sim::blas {
namespace {

/** How much slower a proposal is if a fault makes it slow. */
constexpr auto kLag = std::chrono::milliseconds(40);

std::uint64_t blocks_along(const BlockScales& scales, std::uint64_t depth) {
  return depth / (scales.mode == 1 ? 16 : 32);
}
std::size_t scale_bytes(const BlockScales& scales, bool in_rows, std::uint64_t depth, std::uint64_t lines) {
  const std::uint64_t blocks = blocks_along(scales, depth);
  return in_rows ? lines * blocks : (lines + 127) / 128 * ((blocks + 3) / 4) * 512;
}
/** The scale of number `l` of a line. See the cuBLAS documentation, "1D block scaling factors layout". */
double scale_at(const BlockScales& scales, bool in_rows, std::uint64_t depth, std::uint64_t line, std::uint64_t l) {
  const std::uint64_t blocks = blocks_along(scales, depth), block = l / (scales.mode == 1 ? 16 : 32);
  const std::uint64_t outer = line % 128, tile = line / 128 * ((blocks + 3) / 4) + block / 4;
  const std::uint64_t place =
      in_rows ? line * blocks + block : tile * 512 + outer % 32 * 16 + outer / 32 * 4 + block % 4;
  return read_scale(scales.mode == 1, reinterpret_cast<const std::uint8_t*>(scales.address)[place]);
}

/** op(X) as rows of `depth` numbers, one per row of op(A) or column of op(B), so that both are contiguous along k. */
template <class Number>
std::vector<Number> along_depth(const Layout& layout, std::uint64_t address, bool depth_is_rows,
                                const Operation& operation, const BlockScales& scales) {
  const Arithmetic arithmetic = operation.arithmetic;
  const std::uint64_t depth = depth_is_rows ? layout.rows : layout.columns;
  const std::uint64_t lines = depth_is_rows ? layout.columns : layout.rows;
  const void* matrix = reinterpret_cast<const void*>(address);
  std::vector<Number> numbers(depth * lines);
  for (std::uint64_t line = 0; line < lines; ++line) {
    for (std::uint64_t l = 0; l < depth; ++l) {
      const std::uint64_t row = depth_is_rows ? l : line, column = depth_is_rows ? line : l;
      const auto number = static_cast<Number>(
          read_number(layout.element, matrix, row + column * static_cast<std::uint64_t>(layout.leading)));
      if (scales.mode) {
        numbers[line * depth + l] =
            number * static_cast<Number>(scale_at(scales, operation.scales_in_rows, depth, line, l));
        continue;
      }
      numbers[line * depth + l] =
          arithmetic == Arithmetic::tf32 ? static_cast<Number>(rounded_to_tf32(static_cast<float>(number))) : number;
    }
  }
  return numbers;
}

/** In 16 independent sums, for the host's vector registers. */
template <class Number>
Number dot(const Number* a, const Number* b, std::uint64_t depth) {
  constexpr std::uint64_t kChains = 16;
  Number sums[kChains] = {};
  std::uint64_t l = 0;
  for (; l + kChains <= depth; l += kChains) {
    for (std::uint64_t i = 0; i < kChains; ++i) sums[i] += a[l + i] * b[l + i];
  }
  Number sum = 0;
  for (; l < depth; ++l) sum += a[l] * b[l];
  for (const Number part : sums) sum += part;
  return sum;
}

template <class Number>
void multiply(const Matmul& m, const MatmulArguments& args) {
  const std::vector<Number> a =
      along_depth<Number>(m.a, args.a, m.operation.transpose_a, m.operation, m.operation.scales_a);
  const std::vector<Number> b =
      along_depth<Number>(m.b, args.b, !m.operation.transpose_b, m.operation, m.operation.scales_b);
  const std::uint64_t depth = m.depth();
  for (std::uint64_t column = 0; column < m.d.columns; ++column) {
    for (std::uint64_t row = 0; row < m.d.rows; ++row) {
      double value = args.alpha * static_cast<double>(dot(&a[row * depth], &b[column * depth], depth));
      if (args.beta != 0)
        value += args.beta * read_number(m.c.element, reinterpret_cast<const void*>(args.c),
                                         row + column * static_cast<std::uint64_t>(m.c.leading));
      write_number(m.d.element, reinterpret_cast<void*>(args.d), row + column * static_cast<std::uint64_t>(m.d.leading),
                   value);
    }
  }
}

/** Changes one element in the middle by more than any rounding error. */
void spoil(const Matmul& m, const MatmulArguments& args) {
  const std::uint64_t index = m.d.rows / 2 + m.d.columns / 2 * static_cast<std::uint64_t>(m.d.leading);
  void* matrix = reinterpret_cast<void*>(args.d);
  const double value = read_number(m.d.element, matrix, index);
  write_number(m.d.element, matrix, index, value * 1.5 + 8);
}

/**
 * Flips the last bit of one element, a different one each time, like sums that are added in the order in which blocks
 * happen to end.
 */
void waver(const Matmul& m, const MatmulArguments& args) {
  static std::atomic<unsigned> turn{0};
  const std::uint64_t index = turn++ % m.d.rows;
  auto* const element = reinterpret_cast<unsigned char*>(args.d) +
                        index * (m.d.bytes() / (static_cast<std::uint64_t>(m.d.leading) * m.d.columns));
  *element ^= 1;
}

}  // namespace

bool Matmul::fits() const {
  const std::uint64_t m = operation.transpose_a ? a.columns : a.rows;
  const std::uint64_t n = operation.transpose_b ? b.rows : b.columns;
  const std::uint64_t k = operation.transpose_b ? b.columns : b.rows;
  for (const Layout* layout : {&a, &b, &c, &d}) {
    if (layout->rows == 0 || layout->columns == 0 || layout->leading < static_cast<std::int64_t>(layout->rows))
      return false;
  }
  return k == depth() && d.rows == m && d.columns == n && c.rows == m && c.columns == n && c.element == d.element;
}

std::string Matmul::type() const {
  const Element in = a.element, out = d.element;
  const bool fp8 = in == Element::fp8 || in == Element::fp8_fnuz;
  if (b.element != in) return "";
  const int mode = operation.scales_a.mode;
  if (mode != operation.scales_b.mode || (in == Element::fp4 && mode == 0)) return "";
  if (mode) {
    const bool whole = operation.arithmetic == Arithmetic::fp32 && out == Element::bf16 && operation.transpose_a &&
                       !operation.transpose_b;
    if (!whole || (in != Element::fp4 && (in != Element::fp8 || mode != 2))) return "";
    return mode == 1 ? "nvfp4" : in == Element::fp4 ? "mxfp4" : "mxfp8";
  }
  if (operation.arithmetic == Arithmetic::fp64) return in == Element::fp64 && out == Element::fp64 ? "fp64" : "";
  if (operation.arithmetic == Arithmetic::tf32) return in == Element::fp32 && out == Element::fp32 ? "tf32" : "";
  if (in == Element::fp32 && out == Element::fp32) return "fp32";
  if (in == Element::fp16 && out == Element::fp16) return "fp16";
  if (in == Element::fp16 && out == Element::fp32) return "mixed";
  if (in == Element::bf16 && out == Element::bf16) return "bf16";
  return fp8 && out == Element::bf16 ? "fp8" : "";
}

bool has_instructions(const Architecture& architecture, const std::string& type, Element input) {
  if (type == "mxfp4" || type == "mxfp8" || type == "nvfp4") {
    return architecture.vendor == Vendor::nvidia ? architecture.major >= 10
                                                 : architecture.name == "gfx950" && type != "nvfp4";
  }
  if (architecture.vendor == Vendor::nvidia) {
    if (type == "fp8") return architecture.major * 10 + architecture.minor >= 89;
    return type != "tf32" || architecture.major >= 8;
  }
  const bool cdna3 = architecture.name == "gfx942";
  if (type == "fp8")
    return input == Element::fp8_fnuz ? cdna3
                                      : architecture.name == "gfx950" || architecture.name.rfind("gfx12", 0) == 0;
  return type != "tf32" || cdna3;
}

/** As on a card at its power cap: the leaders of the trials become slow after them, the first one only starts slow. */
bool is_tired(int algorithm) {
  constexpr int kSlowStart = 6, kEndurance = 30;
  static std::map<int, int> calls;
  static std::mutex lock;
  const std::lock_guard<std::mutex> held(lock);
  const int call = ++calls[algorithm];
  return algorithm == 0 ? call <= kSlowStart : call > kEndurance;
}

int run_matmul(Device& device, const Matmul& m, const MatmulArguments& args) {
  if (const int code = device.count_launch()) return code;
  std::vector<std::shared_ptr<Allocation>> held;
  const auto hold = [&](std::uint64_t address, std::size_t bytes) {
    if (bytes == 0) return true;
    held.push_back(memory_map().find(address, bytes));
    return held.back() && device.reaches(held.back()->device());
  };
  if (!hold(args.a, m.a.bytes()) || !hold(args.b, m.b.bytes()) || !hold(args.d, m.d.bytes()) ||
      !hold(args.workspace, args.workspace_bytes))
    return kIllegalAddress;
  const Operation& o = m.operation;
  if (o.scales_a.mode && (!hold(o.scales_a.address, scale_bytes(o.scales_a, o.scales_in_rows, m.depth(), m.d.rows)) ||
                          !hold(o.scales_b.address, scale_bytes(o.scales_b, o.scales_in_rows, m.depth(), m.d.columns))))
    return kIllegalAddress;
  if (args.beta != 0 && !hold(args.c, m.c.bytes())) return kIllegalAddress;
  if (m.operation.arithmetic == Arithmetic::fp64) {
    multiply<double>(m, args);
  } else {
    multiply<float>(m, args);
  }
  if (has_fault("wrong-result", m.type())) spoil(m, args);
  if (args.algorithm <= 2 && has_fault("leaders-do-not-repeat", m.type())) waver(m, args);
  // The others are slowed down, so that these three lead every trial.
  if (args.algorithm > 2 && has_fault("leaders-do-not-repeat", m.type())) pause_for(kLag);
  if (args.algorithm == 0 && has_fault("best-is-not-first", m.type())) pause_for(kLag);
  if (has_fault("tires", m.type()) && is_tired(args.algorithm)) pause_for(kLag);
  return kOk;
}

}  // namespace gpumark::sim::blas
