// A folder that stands in for /sys or /proc, removed at the end of its scope.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

class FakeTree {
 public:
  FakeTree() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gpumark-tree-XXXXXX").string();
    root_ = mkdtemp(pattern.data()) ? pattern : "/nonexistent";
  }
  ~FakeTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  FakeTree(const FakeTree&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;

  void put(const std::string& path, const std::string& content) const {
    const std::filesystem::path target = root_ + "/" + path;
    std::filesystem::create_directories(target.parent_path());
    std::ofstream(target) << content << "\n";
  }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};
