# SPDX-License-Identifier: BSD-3-Clause
# Lists the sources of primitives and programming models that the library for RISC-V cores of a mesh has: those of the
# library for Epiphany, with C code in place of the assembly for remote procedure calls.
include(${CMAKE_CURRENT_LIST_DIR}/epiphany.cmake)
list(FILTER configured_sources EXCLUDE REGEX "^rpc/ring/.*\\.S$")
file(GLOB more CONFIGURE_DEPENDS RELATIVE ${src} ${src}/rpc/ring/portable/*.c)
list(APPEND configured_sources ${more})
