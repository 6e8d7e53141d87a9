# For the scripts of this folder: runs a command, or fails the test with its output.
function(check_run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  string(REPLACE ";" " " command "${ARGN}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${command}: ${result}\n${output}")
  endif()
  message(STATUS "${command}")
endfunction()
