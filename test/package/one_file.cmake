# A program from src/spc_all.c alone; and that file names every source of the core.
# Needs SOURCE, WORK, CC.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(MAKE_DIRECTORY ${WORK})
file(READ ${SOURCE}/src/spc_all.c all)
file(GLOB_RECURSE sources RELATIVE ${SOURCE}/src ${SOURCE}/src/*.c)
list(REMOVE_ITEM sources spc_all.c)
foreach(source ${sources})
  if(NOT all MATCHES "#include \"${source}\"")
    message(FATAL_ERROR "src/spc_all.c does not include ${source}")
  endif()
endforeach()
check_run(${CC} -std=c11 -O2 -Wall -Wextra -Werror -I${SOURCE}/src/include -I${SOURCE}/src
          ${SOURCE}/src/spc_all.c ${SOURCE}/test/package/consumer.c -o ${WORK}/consumer_one_file)
check_run(${WORK}/consumer_one_file)
