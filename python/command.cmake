# The command inside the Python package, as `cmake --install` lays it out, in kore/_command. It is that of KORE_BUILT, or of this build.
set(command_build ${PROJECT_BINARY_DIR})
if(KORE_BUILT)
  set(command_build ${KORE_BUILT})
  add_custom_target(kore_command)  # which pyproject.toml asks for; it is there
endif()
set(command_parts command)
if(KORE_WHEEL_LIBRARIES)
  list(APPEND command_parts libraries)
endif()
foreach(part ${command_parts})
  install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --install \"${command_build}\" --component ${part} --strip
                                        --prefix \"\${CMAKE_INSTALL_PREFIX}/kore/_command\" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)"
          COMPONENT python)
endforeach()
