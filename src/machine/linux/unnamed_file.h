// SPDX-License-Identifier: BSD-3-Clause
// Creates files without a name, for memory that processes share. The library and the launcher are built with this file.
#ifndef SKERRY_MACHINE_LINUX_UNNAMED_FILE_H
#define SKERRY_MACHINE_LINUX_UNNAMED_FILE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A folder in which a job's memory file is placed must have this number of free bytes for each PE. The number is larger
// than what a PE writes before main. With less free space, a PE would die of SIGBUS before it can print a message.
#define SKERRY_ROOM_OF_A_PE (UINT64_C(1) << 20)

// Creates a file in memory (memfd) with `bytes` bytes, and seals it: nobody can change its size. Returns its descriptor,
// or -1 with the reason in errno.
int skerry_make_memfd(uint64_t bytes);

// Creates a file without a name in a folder, with `bytes` bytes. Fails with ENOSPC if the folder's file system has less
// than `room` bytes free. Returns the file's descriptor, or -1 with the reason in errno.
int skerry_make_unnamed_file(const char *folder, uint64_t bytes, uint64_t room);

#ifdef __cplusplus
}
#endif

#endif
