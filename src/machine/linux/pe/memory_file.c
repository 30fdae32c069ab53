// SPDX-License-Identifier: BSD-3-Clause
// Creates the memory file of a job that oshrun did not start: a job of one PE, or the part, on this node, of a job that
// a process manager such as srun has started (managed.c). For all other jobs oshrun creates the memory file
// (launch/job_memory.cpp).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

// If the job's memory file is placed in a folder, the folder must have this number of free bytes for each PE: the
// memory that a PE touches before main, and a reserve.
#define ROOM_BYTES (UINT64_C(1) << 20)

int skerry_unnamed_file(int pes) {
    if (!skerry_is_switched_on("SKERRY_NO_MEMFD")) {
        int fd = (int)syscall(SYS_memfd_create, "skerry", 3U /* close on exec, may be sealed */);
        if (fd >= 0) return fd;
    }
    static const char *const folders[] = {"/dev/shm", "/tmp", NULL};
    const char *wanted = getenv("TMPDIR");
    for (int i = -1; i < 2; i++) {
        const char *folder = i < 0 ? wanted : folders[i];
        if (!folder) continue;
        int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (fd < 0) continue;
        struct statfs status;
        if (fstatfs(fd, &status) == 0 &&
            (uint64_t)status.f_bavail * (uint64_t)status.f_bsize >= ROOM_BYTES * (uint64_t)pes)
            return fd;
        close(fd);
        errno = ENOSPC;
    }
    skerry_refuse("no shared memory: neither memfd_create nor an unnamed file in /dev/shm or /tmp: %s",
                  strerror(errno));
}

int skerry_create_memory_file(uint64_t partitions, int pes) {
    const uint64_t bytes = partitions << SKERRY_PARTITION_SHIFT;
    struct rlimit limit; // a file that grows above this limit causes a signal
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) {
        errno = EFBIG;
        return -1;
    }
    const int fd = skerry_unnamed_file(pes);
    if (ftruncate(fd, (off_t)bytes) != 0) {
        const int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    fcntl(fd, 1033 /* F_ADD_SEALS */, 7 /* no more seals, no shrinking, no growing */);
    return fd;
}
