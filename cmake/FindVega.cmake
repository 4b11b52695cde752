# The scripts that the HTML pages carry, as scripts/fetch_vega.sh puts them into third_party/vega. Another place can be given by
# Vega_ROOT. There is nothing to link: Vega_DIRECTORY names the folder.
get_filename_component(_vega_project ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
find_path(Vega_DIRECTORY NAMES vega-embed.min.js HINTS ${_vega_project}/third_party/vega)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Vega REQUIRED_VARS Vega_DIRECTORY
                                  REASON_FAILURE_MESSAGE "run scripts/fetch_vega.sh, or build without pages: -DKORE_DATA=OFF")
mark_as_advanced(Vega_DIRECTORY)
