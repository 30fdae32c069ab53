# SPDX-License-Identifier: BSD-3-Clause
# Lists the sources of primitives and programming models that the library for RISC-V cores of a mesh has. These are the
# sources of the library for Epiphany (epiphany.cmake), except that remote procedure calls use C code instead of
# assembly.
include(${CMAKE_CURRENT_LIST_DIR}/epiphany.cmake)
list(FILTER configured_sources EXCLUDE REGEX "^rpc/ring/.*\\.S$")
file(GLOB more CONFIGURE_DEPENDS RELATIVE ${src} ${src}/rpc/ring/portable/*.c)
list(APPEND configured_sources ${more})
