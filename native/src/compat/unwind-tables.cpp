// Two symbols that libgcc_eh.a and libstdc++.a of newer systems expect from libc, defined here. Hidden, so that
// libraries loaded later, drivers above all, still bind to libc's own.
#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstdint>

/** glibc 2.32: "this process has one thread", which lets shared_ptr count without atomics. False is always safe. */
extern "C" {
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE  // headers of glibc 2.35 and newer; libgcc built on older ones does not ask

namespace {

struct Search {
  std::uintptr_t address;
  dl_find_object* result;
};

/** dl_iterate_phdr's callback: 1 once the object that holds the address is found and has unwind tables. */
int look_into(dl_phdr_info* object, std::size_t, void* data) {
  const Search& search = *static_cast<Search*>(data);
  const ElfW(Phdr)* holder = nullptr;
  const ElfW(Phdr)* tables = nullptr;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    const std::uintptr_t start = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && search.address - start < segment.p_memsz) holder = &segment;
    if (segment.p_type == PT_GNU_EH_FRAME) tables = &segment;
  }
  if (!holder || !tables) return 0;
  const std::uintptr_t start = object->dlpi_addr + holder->p_vaddr;
  search.result->dlfo_map_start = reinterpret_cast<void*>(start);
  search.result->dlfo_map_end = reinterpret_cast<void*>(start + holder->p_memsz);
  search.result->dlfo_eh_frame = reinterpret_cast<void*>(object->dlpi_addr + tables->p_vaddr);
  return 1;
}

}  // namespace

/**
 * glibc 2.35: where the unwind tables of the code at an address are, 0 if found, -1 if not. Found as older versions of
 * libgcc do, by dl_iterate_phdr: slower, which does not matter here, since exceptions are rare. The link map, which
 * libgcc does not read, stays null.
 */
extern "C" __attribute__((visibility("hidden"))) int __wrap__dl_find_object(void* address, dl_find_object* result) {
  *result = dl_find_object{};
  Search search{reinterpret_cast<std::uintptr_t>(address), result};
  return dl_iterate_phdr(look_into, &search) == 1 ? 0 : -1;
}

#endif
