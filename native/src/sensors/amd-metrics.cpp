#include "sensors/amd-metrics.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace gpumark {
namespace {

constexpr std::size_t kIndependentStatus = 112;
/** Offsets in version 1.6; 1.7 and 1.8 have 8 more bytes before them, and links' states at kXgmiStatus. */
constexpr std::size_t kTicks = 32, kResidencies = 36, kXgmiWidth = 64, kXgmiSpeed = 66, kLater = 8, kXgmiStatus = 264,
                      kXgmiLinks = 8;

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  /** 0 beyond the end. */
  template <class Number>
  Number at(std::size_t offset) const {
    Number value{};
    if (offset + sizeof value <= bytes_.size()) std::memcpy(&value, &bytes_[offset], sizeof value);
    return value;
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::vector<char> bytes_;
};

/** All bits set: no value. */
std::optional<std::uint16_t> told(std::uint16_t value) {
  return value == UINT16_MAX ? std::nullopt : std::optional<std::uint16_t>(value);
}

}  // namespace

std::optional<AmdMetrics> read_amd_metrics(const std::filesystem::path& device_folder) {
  const Reader file(device_folder / "gpu_metrics");
  const auto size = file.at<std::uint16_t>(0);
  const int format = file.at<unsigned char>(2), content = file.at<unsigned char>(3);
  if (file.size() < 4 || size > file.size() || format != 1) return std::nullopt;
  AmdMetrics metrics;
  if (content == 3 && size >= kIndependentStatus + sizeof(std::uint64_t)) {
    const auto status = file.at<std::uint64_t>(kIndependentStatus);
    if (status != ~std::uint64_t{0}) metrics.independent_status = status;
    return metrics;
  }
  const std::size_t shift = content == 6 ? 0 : kLater;
  if (content < 6 || content > 8 || size < kXgmiSpeed + shift + sizeof(std::uint16_t)) return std::nullopt;
  AmdMetrics::Residencies residencies{file.at<std::uint32_t>(kTicks + shift), {}};
  for (std::size_t i = 0; i < residencies.held.size(); ++i)
    residencies.held[i] = file.at<std::uint32_t>(kResidencies + shift + i * sizeof(std::uint32_t));
  metrics.residencies = residencies;
  metrics.xgmi_width = told(file.at<std::uint16_t>(kXgmiWidth + shift));
  metrics.xgmi_speed = told(file.at<std::uint16_t>(kXgmiSpeed + shift));
  if (content > 6 && size >= kXgmiStatus + kXgmiLinks * sizeof(std::uint16_t)) {
    for (std::size_t i = 0; i < kXgmiLinks; ++i)
      metrics.xgmi_status.push_back(file.at<std::uint16_t>(kXgmiStatus + i * sizeof(std::uint16_t)));
  }
  return metrics;
}

}  // namespace gpumark
