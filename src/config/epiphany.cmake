# SPDX-License-Identifier: BSD-3-Clause
# Lists the sources of primitives and programming models that the library for the Epiphany chip has, and the files among
# them that are compiled in a special way. Paths are relative to src/. The machine's own sources are in its folder.
set(src ${CMAKE_CURRENT_LIST_DIR}/..)

file(GLOB configured_sources CONFIGURE_DEPENDS RELATIVE ${src}
  ${src}/shmem/*.c ${src}/primitive/*.c ${src}/rpc/ring/*.c ${src}/rpc/ring/*.S ${src}/aos/*.c)
list(FILTER configured_sources EXCLUDE REGEX "^shmem/check") # too large for a core: SKERRY_CAN_CHECK is 0
file(GLOB more CONFIGURE_DEPENDS RELATIVE ${src} ${src}/shmem/write/*.c ${src}/primitive/channel/*.c) # SKERRY_CHANNELS is 1
list(APPEND configured_sources ${more})
file(GLOB more CONFIGURE_DEPENDS RELATIVE ${src} ${src}/heap/small*.c)
list(APPEND configured_sources ${more})

# The functions of these files are seldom called, and are declared SKERRY_COLD. The linker script
# (src/machine/epiphany/epiphany.ld.in) places these files in external memory, because a core's own memory is small.
set(configured_external aos/setup.c aos/index.c aos/segment.c aos/making.c shmem/setup.c shmem/team_begin.c
  shmem/team_refuse.c shmem/memory_begin.c heap/small_begin.c primitive/shared_heap.c)

# These files contain loops, and code for which other PEs wait. They are compiled for speed and not for size.
file(GLOB configured_fast CONFIGURE_DEPENDS RELATIVE ${src}
  ${src}/shmem/write/*.c ${src}/shmem/barrier.c ${src}/shmem/reduce_types.c ${src}/primitive/channel/*.c)

# With oshcc --header-only the program's translation unit includes the sources of the library, except these files:
# routines of segments, arrays whose size comes from the linker script, and functions that assembly calls.
file(GLOB configured_apart CONFIGURE_DEPENDS RELATIVE ${src}
  ${src}/aos/*.c ${src}/rpc/ring/*.c ${src}/primitive/channel/words.c ${src}/shmem/write/work.c)
list(FILTER configured_apart EXCLUDE REGEX "^rpc/ring/events\\.c$")
# The functions of these files are in the program's translation unit and also in the library, because the library's
# routines of segments call them. Two copies are correct, because these files have no variables.
file(GLOB configured_in_both CONFIGURE_DEPENDS RELATIVE ${src}
  ${src}/heap/*.c ${src}/primitive/lock*.c ${src}/primitive/queue.c ${src}/primitive/shared_heap.c)

# Internal headers of these sources. oshcc --header-only needs them too.
file(GLOB configured_headers CONFIGURE_DEPENDS RELATIVE ${src}
  ${src}/heap/*.h ${src}/primitive/*.h ${src}/primitive/channel/*.h ${src}/rpc/ring/ring.h
  ${src}/shmem/*internal.h ${src}/shmem/collective.h ${src}/shmem/combine.h ${src}/shmem/write/*.h)
