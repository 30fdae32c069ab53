# SPDX-License-Identifier: BSD-3-Clause
# Lists the sources of primitives and programming models that the library for RISC-V cores of a mesh has: those of the
# library for Epiphany, except remote procedure calls, whose code there is written in Epiphany's assembly.
include(${CMAKE_CURRENT_LIST_DIR}/epiphany.cmake)
list(FILTER configured_sources EXCLUDE REGEX "^rpc/")
