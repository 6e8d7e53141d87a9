# Wasm by clang: a wasi-sdk named by WASI_SDK_PREFIX (CMake variable or environment), or the
# distribution's clang-NN with lld, wasi-libc and the compiler-rt for wasm32.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_VERSION 1)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WASI_SDK_PREFIX)

if(NOT WASI_SDK_PREFIX AND DEFINED ENV{WASI_SDK_PREFIX})
  set(WASI_SDK_PREFIX $ENV{WASI_SDK_PREFIX})
endif()
if(WASI_SDK_PREFIX)
  set(CMAKE_C_COMPILER ${WASI_SDK_PREFIX}/bin/clang)
  set(CMAKE_AR ${WASI_SDK_PREFIX}/bin/llvm-ar)
  set(CMAKE_RANLIB ${WASI_SDK_PREFIX}/bin/llvm-ranlib)
  set(CMAKE_SYSROOT ${WASI_SDK_PREFIX}/share/wasi-sysroot)
  if(EXISTS ${CMAKE_SYSROOT}/lib/wasm32-wasip1)
    set(CMAKE_C_COMPILER_TARGET wasm32-wasip1)
  else()
    set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
  endif()
else()
  # Below clang 16 relaxed SIMD has opcodes that no engine accepts.
  find_program(CMAKE_C_COMPILER REQUIRED
    NAMES clang-19 clang-22 clang-21 clang-20 clang-18 clang-17 clang-16)
  string(REGEX MATCH "-[0-9]+$" SPC_CLANG_SUFFIX "${CMAKE_C_COMPILER}")
  find_program(CMAKE_AR NAMES llvm-ar${SPC_CLANG_SUFFIX} llvm-ar ar REQUIRED)
  find_program(CMAKE_RANLIB NAMES llvm-ranlib${SPC_CLANG_SUFFIX} llvm-ranlib ranlib REQUIRED)
  set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
endif()

# When it links with -O, clang runs any wasm-opt that is on the path, of whatever age; the last -O
# counts. scripts/build.mjs runs the one that it knows.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-O0")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR "node;--no-warnings;${CMAKE_CURRENT_LIST_DIR}/../test/support/run-wasi.mjs")
