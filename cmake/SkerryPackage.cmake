# SPDX-License-Identifier: BSD-3-Clause
# Writes the files by which other builds find an installation (find_package, pkg-config), and configures the Debian
# package.
include(CMakePackageConfigHelpers)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Skerry)
set(SKERRY_CONFIG_OSHRUN ${CMAKE_INSTALL_BINDIR}/oshrun)
configure_package_config_file(cmake/SkerryConfig.cmake.in ${PROJECT_BINARY_DIR}/SkerryConfig.cmake
  INSTALL_DESTINATION ${config_folder} PATH_VARS SKERRY_CONFIG_OSHRUN)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SkerryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SkerryConfig.cmake ${PROJECT_BINARY_DIR}/SkerryConfigVersion.cmake
  DESTINATION ${config_folder} COMPONENT development)
install(EXPORT SkerryTargets NAMESPACE Skerry:: DESTINATION ${config_folder} COMPONENT development)

# The paths in skerry.pc are relative to skerry.pc, so that an installation can be moved as a whole.
file(RELATIVE_PATH SKERRY_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" SKERRY_PC_TO_PREFIX ${SKERRY_PC_TO_PREFIX})
configure_file(cmake/skerry.pc.in ${PROJECT_BINARY_DIR}/skerry.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/skerry.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development PATTERN CMakeLists.txt EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# `cmake --install --strip` strips programs and shared libraries only. strip.cmake also strips archives and the programs
# of chips, because they have more debug information than code. Each element of the property SKERRY_STRIPPED is "strip
# program|pattern of installed files". The folders of src/machine/ add elements for their files.
get_property(SKERRY_STRIPPED GLOBAL PROPERTY SKERRY_STRIPPED)
list(APPEND SKERRY_STRIPPED "${CMAKE_STRIP}|${CMAKE_INSTALL_LIBDIR}/libskerry.a")
configure_file(cmake/strip.cmake.in ${PROJECT_BINARY_DIR}/strip.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/strip.cmake COMPONENT development)

# The debug information is installed only by name: `make install-debug`, and the package skerry-dbgsym.
configure_file(cmake/debug.cmake.in ${PROJECT_BINARY_DIR}/debug.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/debug.cmake COMPONENT debug EXCLUDE_FROM_ALL)
configure_file(cmake/SkerryDebug.cmake.in ${PROJECT_BINARY_DIR}/CPackDebugConfig.cmake @ONLY)

set(CPACK_PACKAGE_NAME skerry)
set(CPACK_PACKAGE_VENDOR "Skerry")
set(CPACK_PACKAGE_CONTACT "Skerry maintainers <maintainers@skerry.invalid>")
set(CPACK_PACKAGE_DESCRIPTION "OpenSHMEM 1.6 with the compiler wrappers oshcc and oshc++, the launcher oshrun,
shared and static libraries, headers and manual pages.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libhwloc15")
# Open MPI has an oshcc and an oshrun too. A user who wants both installs Skerry with `make install` into another
# folder.
set(CPACK_DEBIAN_PACKAGE_CONFLICTS "openmpi-bin, libopenmpi-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++ | c++-compiler, pkg-config")
# Two files of the Debian package. `shlibs` says on which version of this package a program that uses the library
# depends. `triggers` makes dpkg run ldconfig, which updates the loader's cache.
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs "libskerry ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} skerry (>= ${PROJECT_VERSION})\n")
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
file(CHMOD ${PROJECT_BINARY_DIR}/debian/shlibs ${PROJECT_BINARY_DIR}/debian/triggers
  PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/shlibs ${PROJECT_BINARY_DIR}/debian/triggers)
configure_file(cmake/SkerryDebian.cmake.in ${PROJECT_BINARY_DIR}/SkerryDebian.cmake @ONLY)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/SkerryDebian.cmake)
include(CPack)
