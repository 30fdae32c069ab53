// SPDX-License-Identifier: BSD-3-Clause
// Creates files without a name. memfd_create makes such a file in memory. Where the kernel lacks it, a file in a folder
// loses its name. An unlinked file works too, but is slower if it lies on a disk.
#define _GNU_SOURCE
#include "unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

// Closes the descriptor, and returns -1 with this reason in errno.
static int give_up(int file, int reason) {
    close(file);
    errno = reason;
    return -1;
}

int skerry_make_memfd(uint64_t bytes) {
    int file = memfd_create("skerry", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (file < 0 && errno == EINVAL) // kernels before Linux 6.3 do not know MFD_NOEXEC_SEAL
        file = memfd_create("skerry", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (ftruncate(file, (off_t)bytes) != 0 || fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return give_up(file, errno);
    return file;
}

static int open_unnamed(const char *folder) {
    const int file = open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0) return file;
    char name[4096]; // this file system does not support O_TMPFILE
    if ((size_t)snprintf(name, sizeof name, "%s/skerry-XXXXXX", folder) >= sizeof name) return -1;
    const int named = mkostemp(name, O_CLOEXEC);
    if (named >= 0) unlink(name);
    return named;
}

static bool has_room(int file, uint64_t bytes) {
    struct statfs status;
    return fstatfs(file, &status) != 0 || (uint64_t)status.f_bavail * (uint64_t)status.f_bsize >= bytes;
}

int skerry_make_unnamed_file(const char *folder, uint64_t bytes, uint64_t room) {
    const int file = open_unnamed(folder);
    if (file < 0) return -1;
    if (!has_room(file, room)) return give_up(file, ENOSPC);
    if (ftruncate(file, (off_t)bytes) != 0) return give_up(file, errno);
    return file;
}
