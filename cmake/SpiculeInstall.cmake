# cmake --install: headers, static and shared library, CMake package, pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY src/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS spicule spicule_shared EXPORT spicule-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT spicule-targets NAMESPACE spicule::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/spicule)
write_basic_package_version_file(spicule-config-version.cmake COMPATIBILITY SameMajorVersion)
configure_file(cmake/spicule-config.cmake.in spicule-config.cmake @ONLY)
# From the folder of the .pc file, as the prefix is known only when it is installed.
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/spicule.pc.in spicule.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/spicule-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/spicule-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/spicule)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/spicule.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
