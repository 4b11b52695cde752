# Headers of other projects, parsed once and not by every file: a third of the time of a build. Our own headers are not among them,
# so that a change to one of them compiles no more than before. Files still include what they use: `make check` builds without.
option(KORE_PRECOMPILED_HEADERS "Parse the headers of the standard library and of others once" ${PROJECT_IS_TOP_LEVEL})

set(KORE_STANDARD_HEADERS <algorithm> <array> <cmath> <cstddef> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional> <span>
    <string> <string_view> <utility> <variant> <vector>)

# With the first flag ccache sees which precompiled headers a file uses. g++ 12 forgets that a precompiled header is the system's, and
# then reports inlined code of the standard library, falsely. So what it finds out only while it optimises is no error here, or is
# not reported; it is in builds without precompiled headers, such as those of `make check`. Headers that it refuses are parsed again.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(KORE_PRECOMPILED_FLAGS -fpch-preprocess -Wno-error=invalid-pch -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
  foreach(warning alloc-size-larger-than= dangling-pointer format-overflow format-truncation free-nonheap-object maybe-uninitialized nonnull
          uninitialized use-after-free)
    list(APPEND KORE_PRECOMPILED_FLAGS -Wno-error=${warning})
  endforeach()
endif()

# A target that holds precompiled headers for others. g++ refuses them to a target with other macros that they mention, or to code
# for executables when they were made for libraries: so there are a few of them, and each is made like those that use it.
function(kore_precompile_headers name kind)  # name of the target, LIBRARY or EXECUTABLE, then headers
  if(KORE_PRECOMPILED_HEADERS)
    file(WRITE ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp.new "int main() {}\n")
    file(COPY_FILE ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp.new ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp ONLY_IF_DIFFERENT)
    if(kind STREQUAL LIBRARY)
      add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
    else()
      add_executable(${name} EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled/${name}.cpp)
    endif()
    target_link_libraries(${name} PRIVATE kore_warnings)
    target_precompile_headers(${name} PRIVATE ${ARGN})
    target_compile_options(${name} PRIVATE ${KORE_PRECOMPILED_FLAGS})
  endif()
endfunction()

# Lets targets use the headers of such a target.
function(kore_use_headers headers)  # then targets
  if(KORE_PRECOMPILED_HEADERS)
    foreach(target ${ARGN})
      target_precompile_headers(${target} REUSE_FROM ${headers})
      target_compile_options(${target} PRIVATE ${KORE_PRECOMPILED_FLAGS})
    endforeach()
  endif()
endfunction()

# Code that writes words and pages, or tests the engine, gains nothing by -O3 and takes half as long again to compile.
function(kore_compile_quickly)  # targets
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()

# Compiles the files of targets in groups, each as one file: what they include is read once, and templates are made once. Files whose
# unnamed namespaces have a name of another file are compiled alone. Sanitizers and debuggers see the same code.
option(KORE_GROUPED_FILES "Compile files in groups where that is quicker" ${PROJECT_IS_TOP_LEVEL})
function(kore_compile_in_groups target)  # then the files to compile alone
  if(KORE_GROUPED_FILES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
    foreach(file ${ARGN})
      set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endforeach()
  endif()
endfunction()
