# Each public header compiles on its own as C11 and as C++17. Needs SOURCE, CC, CXX.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(GLOB headers ${SOURCE}/src/include/spicule/*.h)
foreach(header ${headers})
  check_run(${CC} -std=c11 -fsyntax-only -Wall -Wextra -Werror -I${SOURCE}/src/include -x c ${header})
  check_run(${CXX} -std=c++17 -fsyntax-only -Wall -Wextra -Werror -I${SOURCE}/src/include
            -x c++ ${header})
endforeach()
