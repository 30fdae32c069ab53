// SPDX-License-Identifier: BSD-3-Clause
// Finds, reads and writes the file in the user's cache folder that keeps what skerry-tune measured. There is one file
// for each processor model, microcode and size of the last cache. Used by the launcher, by skerry-tune, and by the
// library in programs that no launcher started.
#ifndef SKERRY_MACHINE_LINUX_TUNING_FILE_H
#define SKERRY_MACHINE_LINUX_TUNING_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tuning.h"

#define SKERRY_TUNING_PATH_BYTES 4096

#ifdef __cplusplus
extern "C" {
#endif

// Writes the file's path to `path`: a file in $SKERRY_CACHE, $XDG_CACHE_HOME/skerry or $HOME/.cache/skerry. Returns
// false if none of these names a folder or the system does not report the processor's model. Creates nothing.
bool skerry_tuning_path(char path[SKERRY_TUNING_PATH_BYTES]);

// Reads the line of values (skerry_parse_tuning) from that file. Returns false if the file does not exist, belongs to
// another user, is damaged, or was written by a library with another format of the file.
bool skerry_read_tuning(const char *path, char text[SKERRY_TUNING_TEXT_BYTES]);

// Writes the file, readable by this user only: either the whole file is replaced or nothing changes. Creates missing
// folders. `remarks` is text for users, in lines. Returns false on failure, with the reason in errno.
bool skerry_write_tuning(const char *path, const char *values, const char *remarks);

#ifdef __cplusplus
}
#endif

#endif
