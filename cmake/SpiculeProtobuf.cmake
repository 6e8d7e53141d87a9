# spc_protobuf(target folder files...): an object library of the C code that protoc-gen-spicule
# generates from the .proto files of a folder. `files` are those to be compiled, with those that they
# import (google/protobuf/timestamp.proto), without the ending. Without the npm packages there is no
# such target.
find_program(SPC_NODE NAMES node)
function(spc_protobuf target folder)
  if(NOT SPC_NODE OR NOT EXISTS ${PROJECT_SOURCE_DIR}/node_modules/@bufbuild/buf)
    message(STATUS "SKIPPED ${target}: generating it needs Node.js and `npm ci`")
    return()
  endif()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target})
  list(TRANSFORM ARGN APPEND .spc.c OUTPUT_VARIABLE sources)
  list(TRANSFORM sources PREPEND ${output}/)
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${folder}/*.proto
       ${PROJECT_SOURCE_DIR}/bindings/js/protoc-gen-spicule/src/*.ts)
  add_custom_command(OUTPUT ${sources}
    COMMAND ${SPC_NODE} ${PROJECT_SOURCE_DIR}/scripts/protobuf.mjs c ${folder} ${output}
    DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/scripts/protobuf.mjs
    COMMENT "Generating ${target}" VERBATIM)
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PUBLIC ${output} ${PROJECT_SOURCE_DIR}/src/include)
  spc_warnings(${target})
endfunction()
