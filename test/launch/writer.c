// SPDX-License-Identifier: BSD-3-Clause
// Writes LINES lines of 40 to 4000 bytes to both outputs, each in pieces, each with its own check: the rank, the line's
// number and as many letters as it says.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(int descriptor, const char *text, size_t length) {
    while (length > 0) {
        ssize_t wrote = write(descriptor, text, length);
        if (wrote <= 0) exit(1);
        text += wrote;
        length -= (size_t)wrote;
    }
}

int main(int count, char **words) {
    const char *rank = getenv("SKERRY_PE");
    int lines = count > 1 ? atoi(words[1]) : 100;
    unsigned random = (unsigned)atoi(rank) + 1;
    for (int i = 0; i < lines; i++) {
        char line[5000];
        random = random * 1103515245U + 12345U;
        int letters = 40 + (int)(random >> 16) % 3960;
        int start = snprintf(line, sizeof line, "%s %d %d ", rank, i, letters);
        memset(line + start, 'a' + i % 26, (size_t)letters);
        line[start + letters] = '\n';
        size_t first = (size_t)start + (random >> 8) % (unsigned)letters;
        put(1 + i % 2, line, first);
        put(1 + i % 2, line + first, (size_t)(start + letters + 1) - first);
    }
    return 0;
}
