// Reads sysfs files, and finds the folder of a PCI device.
#pragma once
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace gpumark {

/** The first line; empty if there is none. */
inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

inline std::optional<double> read_number(const std::filesystem::path& path, double scale) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? std::optional<double>(value * scale) : std::nullopt;
}

inline std::filesystem::path pci_folder(const std::string& sysfs_root, const std::string& pci_id) {
  return sysfs_root + "/bus/pci/devices/" + pci_id;
}

}  // namespace gpumark
