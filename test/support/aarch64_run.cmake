# Builds SOURCES for AArch64 as PROGRAM and runs it; see aarch64.cmake.
find_program(COMPILER aarch64-linux-gnu-gcc)
find_program(QEMU NAMES qemu-aarch64 qemu-aarch64-static)
if(NOT COMPILER OR NOT QEMU)
  message(STATUS
    "SKIPPED AArch64: needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user")
  return()
endif()
execute_process(COMMAND ${COMPILER} -std=c11 -O2 -static -Wall -Wextra -Wconversion -Wshadow -Werror
  -DSPC_BUILDING -I${ROOT}/src -I${ROOT}/src/include -I${ROOT}/test ${SOURCES} -o ${PROGRAM}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${QEMU} ${PROGRAM} ${ARGUMENTS} COMMAND_ERROR_IS_FATAL ANY)
