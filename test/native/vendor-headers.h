// For comparing the runner's own declarations of a library's calls with the vendor's header, at compile time.
#pragma once
#include <type_traits>

namespace gpumark::headers {

/**
 * Passed alike: both pointers, both whole numbers of one size, or both records of one size (a union of 8 bytes goes as
 * a word does).
 */
template <class Ours, class Theirs>
constexpr bool same_parameter() {
  if constexpr (std::is_pointer_v<Ours>)
    return std::is_pointer_v<Theirs>;
  else if constexpr (std::is_pointer_v<Theirs>)
    return std::is_integral_v<Ours> && sizeof(Ours) == sizeof(Theirs);
  else
    return sizeof(Ours) == sizeof(Theirs) && std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs>;
}

template <class Ours, class Theirs>
struct SameCall : std::false_type {};
template <class... Ours, class Result, class... Theirs>
struct SameCall<int (*)(Ours...), Result (*)(Theirs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs) && sizeof(Result) == sizeof(int)) {
      return (same_parameter<Ours, Theirs>() && ...);
    } else {
      return false;
    }
  }();
};

}  // namespace gpumark::headers

/** Member of a table of ours, function of the header. */
#define GPUMARK_SAME(Table, member, function)                                                             \
  static_assert(gpumark::headers::SameCall<decltype(gpumark::Table::member), decltype(&function)>::value, \
                #Table "::" #member " is not " #function)
