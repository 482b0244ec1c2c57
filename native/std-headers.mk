# The standard library's headers, read once instead of in each file: a quarter of the building time. `STD=` builds without, which
# shows where a file does not name what it uses.
# $(call std_rule,FOLDER,NAME OF THE VARIABLE WITH THE FLAGS): FOLDER/std.h.gch, for `-include FOLDER/std.h` with those flags
STD_LIST := $(lastword $(MAKEFILE_LIST))
STD_HEADERS := algorithm array atomic cerrno charconv chrono cmath condition_variable cstddef cstdint cstdio cstdlib cstring deque \
  filesystem fstream functional map memory mutex optional set sstream string string_view thread utility vector

define std_rule
$(1)/std.h.gch: Makefile $$(STD_LIST)
	@mkdir -p $$(@D)
	@printf '#include <%s>\n' $$(STD_HEADERS) > $$(@:.gch=)
	$$(short)$$(CXX) $$(filter-out -MMD -MP,$$($(2))) -x c++-header -o $$@ $$(@:.gch=)
endef
