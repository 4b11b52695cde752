# DuckDB's C library, as scripts/fetch_duckdb.sh puts it into third_party/duckdb. Another place can be given by DuckDB_ROOT.
set(_duckdb_fetched ${KORE_THIRD_PARTY}/duckdb)
find_path(DuckDB_INCLUDE_DIR duckdb.h HINTS ${_duckdb_fetched} PATH_SUFFIXES include)
find_library(DuckDB_LIBRARY duckdb HINTS ${_duckdb_fetched} PATH_SUFFIXES lib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "run scripts/fetch_duckdb.sh, or build without it: -DKORE_DATA=OFF")
if(DuckDB_FOUND AND NOT TARGET DuckDB::DuckDB)
  # A link to it stands in the build tree, so that what is built there can find it relative to itself.
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  file(CREATE_LINK ${DuckDB_LIBRARY} ${PROJECT_BINARY_DIR}/lib/libduckdb.so SYMBOLIC)
  add_library(DuckDB::DuckDB SHARED IMPORTED)
  set_target_properties(DuckDB::DuckDB PROPERTIES IMPORTED_LOCATION ${PROJECT_BINARY_DIR}/lib/libduckdb.so
                                                  IMPORTED_SONAME libduckdb.so
                                                  INTERFACE_INCLUDE_DIRECTORIES ${DuckDB_INCLUDE_DIR})
endif()
mark_as_advanced(DuckDB_INCLUDE_DIR DuckDB_LIBRARY)
