#include "gpu/gemm/vendor-product.h"

#include <algorithm>

#include "block-scales.h"

namespace gpumark {
namespace {

/**
 * The first proposal is often not the best: as little as half as fast on some parts. Libraries return at most this
 * many.
 */
constexpr int kWanted = 32;
static_assert(kWanted >= 16, "fewer hide better algorithms");
/** Bytes for a record of any library, and their fill before the library writes. */
constexpr std::size_t kRoom = sizeof(CublasLtRecord);
constexpr DevicePointer kAnyAddress = 4096;

}  // namespace

/**
 * The library is column-major. C, m x n row-major, is the column-major n x m matrix C^T = B * A^T; B's memory is its
 * transpose, k x n column-major, and A's is A^T, k x m. So: left operand B, transposed, right operand A, plain, result
 * of n rows and m columns; leading dimensions k, k and n.
 */
VendorProduct::VendorProduct(std::shared_ptr<VendorLibrary> library, const VendorTypes& types, const GemmShape& shape)
    : library_(std::move(library)),
      types_(types),
      shape_(shape),
      operation_(library_->call().operation_destroy),
      left_(library_->call().layout_destroy),
      right_(library_->call().layout_destroy),
      result_(library_->call().layout_destroy) {
  const VendorBlasTable& call = library_->call();
  const VendorNumbers& number = library_->dialect().numbers;
  if (!accepted(call.operation_create(operation_.out(), types.compute, types.scale), "MatmulDescCreate")) return;
  if (!accepted(call.operation_set(operation_.get(), number.transpose_a, &number.transposed, sizeof number.transposed),
                "MatmulDescSetAttribute"))
    return;
  if (!accepted(call.operation_set(operation_.get(), number.transpose_b, &number.plain, sizeof number.plain),
                "MatmulDescSetAttribute"))
    return;
  if (types.fast_accumulation && !accepted(library_->ask_fast_accumulation(operation_.get()), "MatmulDescSetAttribute"))
    return;
  if (types.scale_mode) {
    if (!accepted(call.operation_set(operation_.get(), number.scale_mode_a, &types.scale_mode, sizeof types.scale_mode),
                  "MatmulDescSetAttribute"))
      return;
    if (!accepted(call.operation_set(operation_.get(), number.scale_mode_b, &types.scale_mode, sizeof types.scale_mode),
                  "MatmulDescSetAttribute"))
      return;
    // Libraries propose nothing until the scales have an address. It is not read at this point.
    if (!accepted(set_scales(kAnyAddress, kAnyAddress), "MatmulDescSetAttribute")) return;
  }
  if (!accepted(call.layout_create(left_.out(), types.input, shape.k, shape.n, shape.k), "MatrixLayoutCreate")) return;
  if (!accepted(call.layout_create(right_.out(), types.input, shape.k, shape.m, shape.k), "MatrixLayoutCreate")) return;
  accepted(call.layout_create(result_.out(), types.output, shape.n, shape.m, shape.n), "MatrixLayoutCreate");
}

int VendorProduct::set_scales(DevicePointer of_left, DevicePointer of_right) const {
  const VendorNumbers& number = library_->dialect().numbers;
  const int status = library_->call().operation_set(operation_.get(), number.scale_pointer_a, &of_left, sizeof of_left);
  return status ? status
                : library_->call().operation_set(operation_.get(), number.scale_pointer_b, &of_right, sizeof of_right);
}

bool VendorProduct::accepted(int status, const char* call) {
  if (status != 0 && library_->declines(status)) declined_ = library_->answer(call, status);
  if (!declined_.empty()) return false;
  library_->check(status, call);
  return true;
}

std::vector<VendorAlgorithm> VendorProduct::propose(std::size_t workspace_bytes) {
  const VendorBlasTable& call = library_->call();
  VendorObject preference(call.preference_destroy);
  library_->check(call.preference_create(preference.out()), "MatmulPreferenceCreate");
  const std::uint64_t limit = workspace_bytes;
  library_->check(
      call.preference_set(preference.get(), library_->dialect().numbers.max_workspace, &limit, sizeof limit),
      "MatmulPreferenceSetAttribute");
  std::vector<unsigned char> room(kWanted * kRoom, VendorLibrary::kUntouched);
  int count = 0;
  const int status = call.heuristics(library_->handle(), operation_.get(), left_.get(), right_.get(), result_.get(),
                                     result_.get(), preference.get(), kWanted, room.data(), &count);
  if (!accepted(status, "MatmulAlgoGetHeuristic")) return {};
  std::vector<VendorAlgorithm> proposed;
  for (VendorAlgorithm& algorithm : library_->read_proposals(room, std::min(count, kWanted), declined_)) {
    const auto same = [&](const VendorAlgorithm& other) { return other.bytes == algorithm.bytes; };
    const bool fits = algorithm.status == 0 && algorithm.workspace_bytes <= workspace_bytes;
    if (fits && std::none_of(proposed.begin(), proposed.end(), same)) proposed.push_back(std::move(algorithm));
  }
  return proposed;
}

void VendorProduct::multiply(const GemmOperands& operands, const VendorAlgorithm& algorithm, DevicePointer workspace,
                             std::size_t workspace_bytes, Handle stream) const {
  const double one = 1, zero = 0;
  const float one_single = 1, zero_single = 0;
  const void* alpha = types_.doubles ? static_cast<const void*>(&one) : &one_single;
  const void* beta = types_.doubles ? static_cast<const void*>(&zero) : &zero_single;
  if (types_.scale_mode) {
    library_->check(set_scales(operands.b + scales_begin(types_.scaled, shape_.n, shape_.k),
                               operands.a + scales_begin(types_.scaled, shape_.m, shape_.k)),
                    "MatmulDescSetAttribute");
  }
  const int status = library_->call().multiply(
      library_->handle(), operation_.get(), alpha, operands.b, left_.get(), operands.a, right_.get(), beta, operands.c,
      result_.get(), operands.c, result_.get(), algorithm.bytes.data(), workspace, workspace_bytes, stream);
  library_->check(status, "Matmul");
}

}  // namespace gpumark
