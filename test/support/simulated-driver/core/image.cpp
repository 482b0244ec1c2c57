#include "core/image.h"

#include <cstring>
#include <elf.h>
#include <string>

#include "core/ptx.h"
#include "core/settings.h"

namespace gpumark::sim {
namespace {

constexpr unsigned kMachineCuda = 190;
constexpr unsigned kMachineAmd = 224;
/**
 * OS/ABI byte that nvcc 13 writes, with ABI version 8; older versions write 0x33 with ABI version 7. Seen in the images
 * with readelf -h.
 */
constexpr unsigned char kCudaAbiNow = 0x41;
/** The first CUDA version whose tools write that ABI; an older driver does not support it. */
constexpr int kCudaAbiNowSince = 13000;

/** Whether it was built for an architecture with a suffix: ptxas records its options, such as "-arch sm_90a". */
bool is_bound(const unsigned char* bytes, const Elf64_Ehdr& header) {
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes + header.e_shoff);
  const auto* names = reinterpret_cast<const char*>(bytes + sections[header.e_shstrndx].sh_offset);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    if (std::strcmp(names + sections[i].sh_name, ".note.nv.tkinfo") != 0) continue;
    const std::string note(reinterpret_cast<const char*>(bytes + sections[i].sh_offset), sections[i].sh_size);
    const std::size_t option = note.find("-arch sm_");
    return option != std::string::npos && note[note.find_first_not_of("0123456789", option + 9)] == 'a';
  }
  return false;
}

/**
 * A cubin runs on its compute capability and on later minor versions of it; one for an architecture with a suffix on
 * its own only.
 */
int check_cubin(const Device& device, const unsigned char* bytes, const Elf64_Ehdr& header) {
  const bool abi_now = header.e_ident[EI_OSABI] == kCudaAbiNow;
  if (abi_now && settings().cuda_version < kCudaAbiNowSince) return kInvalidImage;
  const unsigned capability = (abi_now ? header.e_flags >> 8 : header.e_flags) & 0xff;
  const Architecture& own = device.architecture;
  const int minor = static_cast<int>(capability % 10);
  const bool fits = static_cast<int>(capability / 10) == own.major &&
                    (is_bound(bytes, header) ? minor == own.minor : minor <= own.minor);
  return fits ? kOk : kNoBinary;
}

int check_code_object(const Device& device, const Elf64_Ehdr& header) {
  if (header.e_ident[EI_OSABI] != 64 /* AMDGPU_HSA */) return kInvalidImage;
  return (header.e_flags & 0xff) == device.architecture.machine_flag ? kOk : kNoBinary;
}

/**
 * Names of all functions in .symtab. ROCm's loader does not look elsewhere by default: a code object without .symtab
 * loads but has no kernels.
 */
void read_functions(const unsigned char* bytes, const Elf64_Ehdr& header, std::set<std::string>* kernels) {
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes + header.e_shoff);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr& section = sections[i];
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= header.e_shnum) continue;
    const auto* names = reinterpret_cast<const char*>(bytes + sections[section.sh_link].sh_offset);
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(bytes + section.sh_offset);
    for (std::size_t at = 0; at < section.sh_size / sizeof(Elf64_Sym); ++at) {
      const Elf64_Sym& symbol = symbols[at];
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
        kernels->insert(names + symbol.st_name);
    }
  }
}

}  // namespace

int read_image(const Device& device, const void* image, std::set<std::string>* kernels) {
  if (!image) return kInvalidValue;
  if (device.has_fault("wrong-image")) return kNoBinary;
  const auto* bytes = static_cast<const unsigned char*>(image);
  if (std::memcmp(bytes, ELFMAG, SELFMAG) != 0) {
    return device.architecture.vendor == Vendor::nvidia ? read_ptx(device, static_cast<const char*>(image), kernels)
                                                        : kInvalidImage;
  }
  Elf64_Ehdr header;
  std::memcpy(&header, bytes, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr)) return kInvalidImage;
  if (header.e_machine != (device.architecture.vendor == Vendor::nvidia ? kMachineCuda : kMachineAmd))
    return kInvalidImage;
  const int code = device.architecture.vendor == Vendor::nvidia ? check_cubin(device, bytes, header)
                                                                : check_code_object(device, header);
  if (code == kOk) read_functions(bytes, header, kernels);
  return code;
}

}  // namespace gpumark::sim
