# Installs the build to a scratch prefix and builds the consumer against it in each supported way.
# Needs BUILD, SOURCE, WORK, CC; PKG_CONFIG may be empty.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)
check_run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

check_run(${CMAKE_COMMAND} -S ${SOURCE}/test/package/cmake-consumer -B ${WORK}/cmake
          -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CC})
check_run(${CMAKE_COMMAND} --build ${WORK}/cmake)
check_run(${WORK}/cmake/consumer_static)
check_run(${WORK}/cmake/consumer_shared)

if(NOT PKG_CONFIG)
  message(STATUS "SKIPPED the pkg-config consumer: no pkg-config here")
else()
  file(GLOB_RECURSE pc_file ${prefix}/*/spicule.pc)
  get_filename_component(pc_folder ${pc_file} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${pc_folder})
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs spicule
                  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  get_filename_component(libraries ${pc_folder} DIRECTORY)
  check_run(${CC} ${SOURCE}/test/package/consumer.c ${flags} -Wl,-rpath,${libraries}
            -o ${WORK}/consumer_pkg_config)
  check_run(${WORK}/consumer_pkg_config)
endif()
