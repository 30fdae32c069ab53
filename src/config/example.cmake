# SPDX-License-Identifier: BSD-3-Clause
# Lists the sources of primitives and programming models that the library for the example machine has: OpenSHMEM only.
# Paths are relative to src/.
set(src ${CMAKE_CURRENT_LIST_DIR}/..)

file(GLOB configured_sources CONFIGURE_DEPENDS RELATIVE ${src} ${src}/shmem/*.c ${src}/primitive/*.c ${src}/heap/*.c)
list(FILTER configured_sources EXCLUDE REGEX "^shmem/check|^heap/small") # SKERRY_CAN_CHECK is 0; used only with HEAP_SMALL
