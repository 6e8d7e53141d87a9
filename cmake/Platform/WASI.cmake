# The suffix has to be set here: CMake reads it when it loads the platform, after the toolchain file.
set(WASI 1)
set(CMAKE_EXECUTABLE_SUFFIX ".wasm")
