// SPDX-License-Identifier: BSD-3-Clause
// Creates the memory file of a job that oshrun did not start: a job of one PE, or the part, on this node, of a job that
// a process manager such as srun has started (managed.c). For all other jobs oshrun creates the memory file
// (launch/job_memory.cpp).
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../unnamed_file.h"
#include "internal.h"

int skerry_create_file(uint64_t bytes, int pes) {
    int file = skerry_is_switched_on("SKERRY_NO_MEMFD") ? -1 : skerry_make_memfd(bytes);
    const char *const folders[] = {getenv("TMPDIR"), "/dev/shm", "/tmp"};
    for (int i = 0; i < 3 && file < 0; i++)
        if (folders[i]) file = skerry_make_unnamed_file(folders[i], bytes, SKERRY_ROOM_OF_A_PE * (uint64_t)pes);
    if (file < 0)
        skerry_refuse("no shared memory: neither memfd_create nor an unnamed file in /dev/shm or /tmp: %s",
                      strerror(errno));
    return file;
}

int skerry_create_memory_file(uint64_t partitions, int pes) {
    const uint64_t bytes = partitions << SKERRY_PARTITION_SHIFT;
    struct rlimit limit; // a file that grows above this limit causes a signal
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) {
        errno = EFBIG;
        return -1;
    }
    return skerry_create_file(bytes, pes);
}
