# OpenBLAS without threads of its own: the engine brings its own threads and needs the same bits on any number of them.
# Any other OpenBLAS works too, because the engine asks it for one thread at run time.
find_path(OpenBLASSerial_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas-serial ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial openblas)
find_library(OpenBLASSerial_LIBRARY openblas PATH_SUFFIXES openblas-serial ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLASSerial REQUIRED_VARS OpenBLASSerial_LIBRARY OpenBLASSerial_INCLUDE_DIR)
if(OpenBLASSerial_FOUND AND NOT TARGET OpenBLAS::Serial)
  add_library(OpenBLAS::Serial UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::Serial PROPERTIES IMPORTED_LOCATION ${OpenBLASSerial_LIBRARY}
                                                    INTERFACE_INCLUDE_DIRECTORIES ${OpenBLASSerial_INCLUDE_DIR})
endif()
mark_as_advanced(OpenBLASSerial_INCLUDE_DIR OpenBLASSerial_LIBRARY)
