# spc_aarch64_test(name label sources... [JOBS ...] [ARGUMENTS ...]): a C test program built for
# AArch64 by Debian's cross compiler and run by qemu's user mode, all at test time; skipped where
# either is missing.
function(spc_aarch64_test name label)
  if(WASI OR EMSCRIPTEN OR CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    return()
  endif()
  cmake_parse_arguments(TEST "" "" "JOBS;ARGUMENTS" ${ARGN})
  set(sources)
  foreach(source ${TEST_UNPARSED_ARGUMENTS})
    list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  endforeach()
  foreach(job base ${TEST_JOBS})
    file(GLOB job_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${job}/*.c)
    list(APPEND sources ${job_sources})
  endforeach()
  add_test(NAME ${name}_aarch64 COMMAND ${CMAKE_COMMAND}
    "-DSOURCES=${sources}" -DROOT=${PROJECT_SOURCE_DIR}
    "-DARGUMENTS=${TEST_ARGUMENTS}" -DPROGRAM=${CMAKE_CURRENT_BINARY_DIR}/${name}_aarch64
    -P ${PROJECT_SOURCE_DIR}/test/support/aarch64_run.cmake)
  set_tests_properties(${name}_aarch64 PROPERTIES
    LABELS ${label} SKIP_REGULAR_EXPRESSION "SKIPPED AArch64")
endfunction()
