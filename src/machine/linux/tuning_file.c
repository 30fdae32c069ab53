// SPDX-License-Identifier: BSD-3-Clause
// Keeps the measured tuning values of a processor in a file, so that they need not be measured again for each job. The
// file's first line names the version of its format. The second line holds the values. The other lines are for users.
#define _GNU_SOURCE
#include "tuning_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The first line of a file. The library ignores files with another first line. Increase the number in this line if
// values that an older version has measured are wrong for this version.
#define FIRST_LINE "skerry tuning 1\n"

#define FILE_BYTES_MAX 4096
#define NAME_BYTES 160

// -- The processor's name ----------------------------------------------------------------------------------------------

// Reads at most `bytes` - 1 characters of a file, and appends a zero byte. Returns false if it reads no character.
static bool read_start(const char *path, char *text, size_t bytes) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t length = read(file, text, bytes - 1);
    close(file);
    text[length > 0 ? length : 0] = 0;
    return length > 0;
}

// Appends a hyphen and the value of the line "KEY : VALUE" to `name`. Only the value's letters and digits are appended.
static void append_entry(char name[NAME_BYTES], const char *text, const char *key) {
    size_t key_length = strlen(key);
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        if (strncmp(line, key, key_length) != 0) continue;
        const char *at = line + key_length + strspn(line + key_length, " \t");
        if (*at != ':') continue;
        size_t length = strlen(name);
        if (length && length < NAME_BYTES - 1) name[length++] = '-';
        for (at++; *at && *at != '\n' && length < NAME_BYTES - 1; at++)
            if (isalnum((unsigned char)*at)) name[length++] = *at;
        name[length] = 0;
        return;
    }
}

// Makes a file name from the processor's model, its microcode and the size of its last cache. Reads only the beginning
// of /proc/cpuinfo, which contains the entry of the first processor. The kernel composes each entry during the read, so
// a read of all entries would take longer.
static bool name_processor(char name[NAME_BYTES]) {
    static const char *const keys[] = {"vendor_id",       "cpu family",  "model",    "stepping",    "microcode",
                                       "CPU implementer", "CPU variant", "CPU part", "CPU revision"};
    char text[2048];
    name[0] = 0;
    if (!read_start("/proc/cpuinfo", text, sizeof text)) return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) append_entry(name, text, keys[i]);
    char cache[32];
    if (read_start("/sys/devices/system/cpu/cpu0/cache/index3/size", cache, sizeof cache)) {
        size_t length = strlen(name);
        snprintf(name + length, NAME_BYTES - length, "-%.*s", (int)strcspn(cache, "\n"), cache);
    }
    return name[0] != 0;
}

bool skerry_tuning_path(char path[SKERRY_TUNING_PATH_BYTES]) {
    char name[NAME_BYTES];
    const char *folder = secure_getenv("SKERRY_CACHE"), *below = "";
    if (!folder || !*folder) {
        folder = secure_getenv("XDG_CACHE_HOME");
        below = "/skerry";
    }
    if (!folder || !*folder) {
        folder = secure_getenv("HOME");
        below = "/.cache/skerry";
        if (folder && access(folder, F_OK) != 0) return false; // a home folder that does not exist is not created
    }
    if (!folder || folder[0] != '/' || !name_processor(name)) return false;
    int length = snprintf(path, SKERRY_TUNING_PATH_BYTES, "%s%s/%s.tuning", folder, below, name);
    return length > 0 && length < SKERRY_TUNING_PATH_BYTES;
}

// -- The file ----------------------------------------------------------------------------------------------------------

// Reads the file only if it belongs to this user. Wrong values in another user's file could make this user's programs
// slow. (They cannot make a program incorrect.)
bool skerry_read_tuning(const char *path, char text[SKERRY_TUNING_TEXT_BYTES]) {
    char content[FILE_BYTES_MAX];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return false;
    struct stat status;
    ssize_t length = 0;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
        length = read(file, content, sizeof content - 1);
    close(file);
    if (length <= 0) return false;
    content[length] = 0;
    const size_t first = strlen(FIRST_LINE);
    if (strncmp(content, FIRST_LINE, first) != 0) return false;
    const size_t bytes = strcspn(content + first, "\n");
    if (bytes == 0 || bytes >= SKERRY_TUNING_TEXT_BYTES) return false;
    memcpy(text, content + first, bytes);
    text[bytes] = 0;
    struct skerry_tuning values = {0};
    return skerry_parse_tuning(text, &values) == NULL;
}

static bool make_folders(const char *path) {
    char folder[SKERRY_TUNING_PATH_BYTES];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdir(folder, 0700) != 0 && errno != EEXIST) return false;
    }
    return true;
}

static bool write_all(int file, const char *text) {
    size_t length = strlen(text);
    return write(file, text, length) == (ssize_t)length;
}

bool skerry_write_tuning(const char *path, const char *values, const char *remarks) {
    char draft[SKERRY_TUNING_PATH_BYTES + 8];
    if (!make_folders(path)) return false;
    snprintf(draft, sizeof draft, "%s.XXXXXX", path);
    int file = mkostemp(draft, O_CLOEXEC);
    if (file < 0) return false;
    bool written =
        write_all(file, FIRST_LINE) && write_all(file, values) && write_all(file, "\n") && write_all(file, remarks);
    written = close(file) == 0 && written && rename(draft, path) == 0;
    if (!written) {
        int error = errno;
        unlink(draft);
        errno = error;
    }
    return written;
}
