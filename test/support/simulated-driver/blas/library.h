// Objects behind the handles of both simulated matrix libraries, and their common code.
#pragma once
#include <cstring>
#include <memory>
#include <optional>

#include "blas/matmul.h"
#include "blas/settings.h"
#include "calls/handles.h"
#include "core/machine.h"

#define GPUMARK_SIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace gpumark::sim::blas {

struct Library {};
struct Preference {
  std::uint64_t max_workspace = 0;
};
/** If the library does not know the arithmetic, `operation` is empty, and the descriptor is refused when it is used. */
struct OperationDescriptor {
  std::optional<Operation> operation;
  bool double_scale = false;
  bool fast_accumulation = false;
};

/** One entry of a library's list. Two are the same, and one has a status of failure. */
struct Proposal {
  int id;
  /** Index of the entry that it repeats, or -1. */
  int repeats;
  bool fails;
  std::size_t workspace_bytes;
};
constexpr Proposal kProposals[] = {{11, -1, false, 0},   {12, -1, false, 4096}, {13, -1, false, 8192},
                                   {12, 1, false, 4096}, {14, -1, true, 0},     {15, -1, false, 65536},
                                   {16, -1, false, 0}};
constexpr int kProposalCount = sizeof kProposals / sizeof kProposals[0];
/** Marks an algorithm as one of this library. */
constexpr std::uint32_t kAlgorithmMark = 0x47504d4b;

/** The 32-bit value of an attribute; empty if its size is different. */
inline std::optional<std::int32_t> word(const void* value, std::size_t bytes) {
  std::int32_t read = 0;
  if (!value || bytes != sizeof read) return std::nullopt;
  std::memcpy(&read, value, sizeof read);
  return read;
}

/** Sets an attribute of block scales: a 64-bit address or a 32-bit mode. Empty if it is a different attribute. */
inline std::optional<bool> set_scales(OperationDescriptor& descriptor, int attribute, const void* value,
                                      std::size_t bytes, int pointer_a, int pointer_b, int mode_a, int mode_b) {
  const bool is_pointer = attribute == pointer_a || attribute == pointer_b;
  if (!is_pointer && attribute != mode_a && attribute != mode_b) return std::nullopt;
  if (!value || bytes != (is_pointer ? 8 : 4)) return false;
  if (!descriptor.operation) return true;
  BlockScales& scales =
      attribute == pointer_a || attribute == mode_a ? descriptor.operation->scales_a : descriptor.operation->scales_b;
  is_pointer ? std::memcpy(&scales.address, value, 8) : std::memcpy(&scales.mode, value, 4);
  return true;
}
/**
 * 4-bit numbers need every column aligned to 16 bytes, and both libraries need the addresses of the scales before they
 * propose anything.
 */
inline bool scales_are_whole(const Matmul& m) {
  const Operation& o = m.operation;
  const bool aligned = m.a.element != Element::fp4 || (m.a.leading % 32 == 0 && m.b.leading % 32 == 0);
  return o.scales_a.mode == 0 || (aligned && o.scales_a.address && o.scales_b.address && o.scales_a.address % 16 == 0 &&
                                  o.scales_b.address % 16 == 0);
}

template <class Object>
int create(void** handle, Object object, int invalid) {
  if (!handle) return invalid;
  *handle = handles<Object>().add(std::make_shared<Object>(std::move(object)));
  return 0;
}
template <class Object>
int destroy(void* handle, int invalid) {
  return handles<Object>().remove(handle) ? 0 : invalid;
}

/** Combines all descriptors of a call; empty if one of them does not exist or is not supported. */
inline std::optional<Matmul> put_together(void* operation, void* a, void* b, void* c, void* d) {
  const auto descriptor = handles<OperationDescriptor>().find(operation);
  const auto left = handles<Layout>().find(a), right = handles<Layout>().find(b), addend = handles<Layout>().find(c),
             result = handles<Layout>().find(d);
  if (!descriptor || !descriptor->operation || !left || !right || !addend || !result) return std::nullopt;
  return Matmul{*descriptor->operation, *left, *right, *addend, *result};
}

/** Reads alpha or beta in the type that the descriptor specifies. */
inline double scalar(const OperationDescriptor& descriptor, const void* value) {
  return descriptor.double_scale ? *static_cast<const double*>(value)
                                 : static_cast<double>(*static_cast<const float*>(value));
}

/** Both libraries need fp8 operands that are contiguous along k, with every column aligned to 16 bytes. */
inline bool fp8_is_aligned(const Matmul& m) {
  return m.operation.transpose_a && !m.operation.transpose_b && m.a.leading % 16 == 0 && m.b.leading % 16 == 0 &&
         m.d.leading % 8 == 0;
}

/** Whether the machine's first device can multiply this type. The real libraries check the current device. */
inline bool device_has(Vendor vendor, const Matmul& m) {
  const auto& visible = machine(vendor).visible;
  return !visible.empty() && has_instructions(visible.front()->architecture, m.type(), m.a.element);
}

/** Submits the product to the stream, a handle of the driver. @returns an error code of the driver */
inline int submit_matmul(void* stream, const Matmul& matmul, const MatmulArguments& arguments) {
  if (!stream) return kInvalidHandle;
  const auto queue = static_cast<Stream*>(stream)->shared_from_this();
  Device& device = queue->device();
  if (const int code = device.failure()) return code;
  return queue->submit({.work = [&device, matmul, arguments] { return run_matmul(device, matmul, arguments); }});
}

}  // namespace gpumark::sim::blas
