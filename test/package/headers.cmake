# Each public header compiles on its own as C11 and as C++17. Needs SOURCE, WORK, CC, CXX.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(GLOB headers RELATIVE ${SOURCE}/src/include ${SOURCE}/src/include/spicule/*.h)
set(flags -fsyntax-only -Wall -Wextra -Werror -I${SOURCE}/src/include)
foreach(header ${headers})
  # Included, as users do: compilers treat a header as the main file otherwise.
  file(WRITE ${WORK}/header.c "#include <${header}>\n")
  message(STATUS "${header}")
  check_run(${CC} -std=c11 ${flags} -x c ${WORK}/header.c)
  check_run(${CXX} -std=c++17 ${flags} -x c++ ${WORK}/header.c)
endforeach()
