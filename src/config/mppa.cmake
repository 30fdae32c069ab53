# SPDX-License-Identifier: BSD-3-Clause
# Lists the sources of primitives and programming models that the library for the clusters of an MPPA has. Paths are
# relative to src/.
set(src ${CMAKE_CURRENT_LIST_DIR}/..)

file(GLOB configured_sources CONFIGURE_DEPENDS RELATIVE ${src}
  ${src}/shmem/*.c ${src}/primitive/*.c ${src}/heap/small*.c ${src}/aos/*.c
  ${src}/rpc/queue/*.c
  ${src}/mppa/*.c
  ${src}/mppa/noc/*.c # SKERRY_NOC_MAILBOXES is defined
  ${src}/primitive/levels/*.c ${src}/shmem/levels/*.c) # SKERRY_FAR_PES is 1
list(FILTER configured_sources EXCLUDE REGEX "^shmem/check") # SKERRY_CAN_CHECK is 0
