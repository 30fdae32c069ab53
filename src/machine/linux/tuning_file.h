// SPDX-License-Identifier: BSD-3-Clause
// Finds, reads and writes the file in which skerry-tune keeps the tuning values that it has measured. The file is in
// the user's cache folder. There is one file for each combination of processor model, microcode and size of the last
// cache. Used by the launcher, by skerry-tune, and by the library in programs that no launcher started.
#ifndef SKERRY_MACHINE_LINUX_TUNING_FILE_H
#define SKERRY_MACHINE_LINUX_TUNING_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tuning.h"

#define SKERRY_TUNING_PATH_BYTES 4096

#ifdef __cplusplus
extern "C" {
#endif

// Writes the path of the file for this processor to `path`. The file is in $SKERRY_CACHE, $XDG_CACHE_HOME/skerry or
// $HOME/.cache/skerry. Returns false if none of these variables names a folder, or if the system does not report the
// processor's model. Creates neither folder nor file.
bool skerry_tuning_path(char path[SKERRY_TUNING_PATH_BYTES]);

// Reads the line with the values (skerry_parse_tuning) from the file at `path`. Returns false if the file does not
// exist, belongs to another user, is damaged, or has the format of another version of the library.
bool skerry_read_tuning(const char *path, char text[SKERRY_TUNING_TEXT_BYTES]);

// Writes the file, readable by this user only. Either replaces the whole file or changes nothing. Creates missing
// folders. `remarks` is text for users, appended after the values. On failure returns false, with the reason in errno.
bool skerry_write_tuning(const char *path, const char *values, const char *remarks);

#ifdef __cplusplus
}
#endif

#endif
