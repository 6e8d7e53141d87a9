# spc_embed(target file symbol): gives the target's sources a header <symbol>.h with the bytes of the
# file as `static const uint8_t <symbol>[]`.
function(spc_embed target file symbol)
  get_filename_component(file "${file}" ABSOLUTE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,)(0x..,)?(0x..,)?(0x..,)?(0x..,)?(0x..,)?(0x..,)?(0x..,)?)" "\\1\n" bytes "${bytes}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/embedded")
  file(CONFIGURE OUTPUT "${folder}/${symbol}.h"
       CONTENT "#include <stdint.h>\nstatic const uint8_t ${symbol}[] = {\n@bytes@};\n" @ONLY)
  target_include_directories(${target} PUBLIC "${folder}")
endfunction()
