# OpenBLAS in a build that several threads may call at once: the one that scripts/fetch_openblas.sh puts into third_party/openblas
# (or that was installed beside this file), else the system's. Debian's serial flavour is not such a build (its work buffers are
# handed out without a lock); the engine notices it at run time and takes turns, which costs speed.
get_filename_component(_openblas_beside ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(_openblas_hints ${_openblas_beside}/../kore)
if(KORE_THIRD_PARTY)
  list(PREPEND _openblas_hints ${KORE_THIRD_PARTY}/openblas)
endif()
find_library(OpenBLAS_LIBRARY NAMES scipy_openblas HINTS ${_openblas_hints} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(OpenBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread)
find_path(OpenBLAS_INCLUDE_DIR cblas.h HINTS ${_openblas_hints}
          PATH_SUFFIXES include openblas-pthread ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread openblas)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES IMPORTED_LOCATION ${OpenBLAS_LIBRARY}
                                                      INTERFACE_INCLUDE_DIRECTORIES ${OpenBLAS_INCLUDE_DIR})
  if(OpenBLAS_LIBRARY MATCHES scipy_openblas)
    target_compile_definitions(OpenBLAS::OpenBLAS INTERFACE KORE_SCIPY_OPENBLAS)
  endif()
endif()
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)
