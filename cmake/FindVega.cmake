# The scripts that the HTML pages carry, as scripts/fetch_vega.sh puts them into third_party/vega. Another place can be given by
# Vega_ROOT. There is nothing to link: Vega_DIRECTORY names the folder.
find_path(Vega_DIRECTORY NAMES vega-embed.min.js HINTS ${KORE_THIRD_PARTY}/vega)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Vega REQUIRED_VARS Vega_DIRECTORY
                                  REASON_FAILURE_MESSAGE "run scripts/fetch_vega.sh, or build without pages: -DKORE_DATA=OFF")
mark_as_advanced(Vega_DIRECTORY)
