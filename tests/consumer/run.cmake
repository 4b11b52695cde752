# Installs the engine of BUILD_DIR below WORK_DIR, then configures, builds and runs the consumer against that copy alone.
foreach(variable BUILD_DIR SOURCE_DIR WORK_DIR GENERATOR COMPILER BUILD_TYPE)
  if(NOT DEFINED ${variable})
    message(FATAL_ERROR "run.cmake needs -D${variable}=...")
  endif()
endforeach()

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK_DIR} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})  # what an earlier version installed must not help this one
file(MAKE_DIRECTORY ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${BUILD_TYPE} --component engine --prefix ${WORK_DIR}/prefix)
# What is installed is what is public, file by file.
file(GLOB_RECURSE installed RELATIVE ${WORK_DIR}/prefix/include ${WORK_DIR}/prefix/include/*)
file(GLOB_RECURSE public RELATIVE ${SOURCE_DIR}/../../include ${SOURCE_DIR}/../../include/*)
if(NOT installed STREQUAL public)
  message(FATAL_ERROR "Installed headers: ${installed}. Public headers: ${public}.")
endif()
run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --config ${BUILD_TYPE})
run(${WORK_DIR}/build/consumer)
file(REMOVE_RECURSE ${WORK_DIR})
