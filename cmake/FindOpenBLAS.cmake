# OpenBLAS in a build that several threads may call at once. Debian's serial flavour is not one (its work buffers are handed out
# without a lock); the engine notices it at run time and takes turns, which costs speed.
find_path(OpenBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas-pthread ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread openblas)
find_library(OpenBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES IMPORTED_LOCATION ${OpenBLAS_LIBRARY}
                                                      INTERFACE_INCLUDE_DIRECTORIES ${OpenBLAS_INCLUDE_DIR})
endif()
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)
