// SPDX-License-Identifier: BSD-3-Clause
// The file in the user's cache that keeps what skerry-tune measured on this processor model, one for each model, microcode and size of
// the last cache. Used by the library in programs that no launcher started, by the launcher, and by skerry-tune.
#ifndef SKERRY_MACHINE_LINUX_TUNING_FILE_H
#define SKERRY_MACHINE_LINUX_TUNING_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tuning.h"

#define SKERRY_TUNING_PATH_BYTES 4096

#ifdef __cplusplus
extern "C" {
#endif

// Writes the file's path, in $SKERRY_CACHE, $XDG_CACHE_HOME/skerry or $HOME/.cache/skerry. Returns false if there is no such folder's
// name, or the processor does not say what it is. Creates nothing.
bool skerry_tuning_path(char path[SKERRY_TUNING_PATH_BYTES]);

// Reads the line of values (skerry_parse_tuning) from that file. Returns false if there is no such file, or it is not this user's own, or
// it was written by another version of this library.
bool skerry_read_tuning(const char *path, char text[SKERRY_TUNING_TEXT_BYTES]);

// Writes the file: whole or not at all, readable by this user only; makes missing folders. `remarks` is text for people, in lines. Returns
// false if that cannot be; errno says why.
bool skerry_write_tuning(const char *path, const char *values, const char *remarks);

#ifdef __cplusplus
}
#endif

#endif
