#include "gpu/gemm/vendor-product.h"

#include <algorithm>
#include <cstring>

#include "block-scales.h"
#include "gpu/gemm/cublaslt-values.h"

namespace gpumark {
namespace {

/**
 * The first proposal is often not the best: up to half as fast on some parts. Libraries give as many as they have, up
 * to this.
 */
constexpr int kWanted = 32;
static_assert(kWanted >= 16, "fewer hide better algorithms");
/** Room for a record of any library, and what is in it before the library writes. */
constexpr std::size_t kRoom = sizeof(CublasLtRecord);
constexpr unsigned char kUntouched = 0xee;
constexpr DevicePointer kAnyAddress = 4096;

template <class Record>
VendorAlgorithm read_record(const unsigned char* at, int& status) {
  Record record;
  std::memcpy(&record, at, sizeof record);
  VendorAlgorithm algorithm;
  algorithm.bytes.assign(record.algorithm, record.algorithm + sizeof record.algorithm);
  algorithm.workspace_bytes = record.workspace_bytes;
  algorithm.waves = record.waves;
  status = record.status;
  return algorithm;
}

/**
 * Whether hipBLASLt wrote the shorter records of its first releases. Nothing says when that changed, so for those the
 * written part decides: n records end past the status of the last and within n times their length, which tells the two
 * apart from 3 records on.
 */
bool has_early_records(const std::vector<unsigned char>& room, int count) {
  std::size_t written = room.size();
  while (written > 0 && room[written - 1] == kUntouched) --written;
  return written <= static_cast<std::size_t>(count) * sizeof(HipblasLtEarlyRecord);
}
constexpr int kTellsApart = 3;
static_assert((kTellsApart - 1) * sizeof(HipblasLtRecord) + offsetof(HipblasLtRecord, waves) >
                  kTellsApart * sizeof(HipblasLtEarlyRecord),
              "no overlap");

VendorAlgorithm read_any(const VendorLibrary& library, const std::vector<unsigned char>& room, bool early, int index,
                         int& status) {
  const auto i = static_cast<std::size_t>(index);
  if (library.is_nvidia()) return read_record<CublasLtRecord>(&room[i * sizeof(CublasLtRecord)], status);
  return early ? read_record<HipblasLtEarlyRecord>(&room[i * sizeof(HipblasLtEarlyRecord)], status)
               : read_record<HipblasLtRecord>(&room[i * sizeof(HipblasLtRecord)], status);
}

}  // namespace

/**
 * The library thinks in columns. C, m x n by rows, is by columns the n x m matrix C^T = B * A^T; B lies there as its
 * transposed, k x n by columns, and A as A^T, k x m. So: left operand B, transposed, right operand A, plain, result of
 * n rows and m columns; leading dimensions k, k and n.
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
  const VendorNumbers& number = library_->numbers();
  if (!accepted(call.operation_create(operation_.out(), types.compute, types.scale), "MatmulDescCreate")) return;
  if (!accepted(call.operation_set(operation_.get(), number.transpose_a, &number.transposed, sizeof number.transposed),
                "MatmulDescSetAttribute"))
    return;
  if (!accepted(call.operation_set(operation_.get(), number.transpose_b, &number.plain, sizeof number.plain),
                "MatmulDescSetAttribute"))
    return;
  const std::int8_t on = 1;
  if (types.fast_accumulation &&
      !accepted(call.operation_set(operation_.get(), cublaslt::kFastAccumulation, &on, sizeof on),
                "MatmulDescSetAttribute"))
    return;
  if (types.scale_mode) {
    if (!accepted(call.operation_set(operation_.get(), number.scale_mode_a, &types.scale_mode, sizeof types.scale_mode),
                  "MatmulDescSetAttribute"))
      return;
    if (!accepted(call.operation_set(operation_.get(), number.scale_mode_b, &types.scale_mode, sizeof types.scale_mode),
                  "MatmulDescSetAttribute"))
      return;
    // Libraries propose nothing while the scales have no address. It is not read then.
    if (!accepted(set_scales(kAnyAddress, kAnyAddress), "MatmulDescSetAttribute")) return;
  }
  if (!accepted(call.layout_create(left_.out(), types.input, shape.k, shape.n, shape.k), "MatrixLayoutCreate")) return;
  if (!accepted(call.layout_create(right_.out(), types.input, shape.k, shape.m, shape.k), "MatrixLayoutCreate")) return;
  accepted(call.layout_create(result_.out(), types.output, shape.n, shape.m, shape.n), "MatrixLayoutCreate");
}

int VendorProduct::set_scales(DevicePointer of_left, DevicePointer of_right) const {
  const VendorNumbers& number = library_->numbers();
  const int status = library_->call().operation_set(operation_.get(), number.scale_pointer_a, &of_left, sizeof of_left);
  return status ? status
                : library_->call().operation_set(operation_.get(), number.scale_pointer_b, &of_right, sizeof of_right);
}

bool VendorProduct::accepted(int status, const char* call) {
  if (status != 0 && library_->declines(status))
    declined_ =
        library_->symbol(call) + " answers " + library_->status_name(status) + " (" + std::to_string(status) + ")";
  if (!declined_.empty()) return false;
  library_->check(status, call);
  return true;
}

std::vector<VendorAlgorithm> VendorProduct::propose(std::size_t workspace_bytes) {
  const VendorBlasTable& call = library_->call();
  VendorObject preference(call.preference_destroy);
  library_->check(call.preference_create(preference.out()), "MatmulPreferenceCreate");
  const std::uint64_t limit = workspace_bytes;
  library_->check(call.preference_set(preference.get(), library_->numbers().max_workspace, &limit, sizeof limit),
                  "MatmulPreferenceSetAttribute");
  std::vector<unsigned char> room(kWanted * kRoom, kUntouched);
  int count = 0;
  const int status = call.heuristics(library_->handle(), operation_.get(), left_.get(), right_.get(), result_.get(),
                                     result_.get(), preference.get(), kWanted, room.data(), &count);
  if (!accepted(status, "MatmulAlgoGetHeuristic")) return {};
  count = std::min(count, kWanted);
  const bool first_releases = !library_->is_nvidia() && library_->version().before(0, 6);
  if (first_releases && count > 0 && count < kTellsApart) {
    declined_ = "its answer of " + std::to_string(count) + " is too short to tell how it is laid out";
    return {};
  }
  const bool early = first_releases && has_early_records(room, count);
  std::vector<VendorAlgorithm> proposed;
  for (int i = 0; i < count; ++i) {
    int state = 0;
    VendorAlgorithm algorithm = read_any(*library_, room, early, i, state);
    algorithm.index = i;
    const auto same = [&](const VendorAlgorithm& other) { return other.bytes == algorithm.bytes; };
    const bool fits = state == 0 && algorithm.workspace_bytes <= workspace_bytes;
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
