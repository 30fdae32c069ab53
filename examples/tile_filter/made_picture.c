// SPDX-License-Identifier: BSD-3-Clause
// Stands in for ../heat/picture.c on machines without libpng: makes a picture of rings and noise, whatever file it is asked
// to read, and writes a picture without a library, as a PPM file, unless its name is "-".
#include "../heat/picture.h"

#include <stdio.h>
#include <stdlib.h>

enum { columns = 96, rows = 64 };

int picture_read(const char *path, Picture *picture) {
    (void)path;
    picture->width = columns, picture->height = rows;
    picture->pixels = malloc((size_t)columns * rows * 3);
    if (!picture->pixels) {
        fprintf(stderr, "no memory for a picture of %d x %d pixels\n", columns, rows);
        return 0;
    }
    unsigned noise = 1;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const int distance = (x - 40) * (x - 40) + (y - 30) * (y - 30);
            noise = noise * 1664525U + 1013904223U;
            for (int colour = 0; colour < 3; colour++) {
                const unsigned ring = (unsigned)(distance / (6 + colour)) & 0x80;
                picture->pixels[(y * columns + x) * 3 + colour] =
                    (unsigned char)(ring + (noise >> (24 - colour) & 0x3f));
            }
        }
    return 1;
}

int picture_may_be_written(const char *path) {
    (void)path;
    return 1;
}

int picture_write(const char *path, const Picture *picture) {
    if (path[0] == '-' && path[1] == 0) return 1;
    FILE *file = fopen(path, "wb");
    const size_t bytes = picture->width * picture->height * 3;
    int written = file && fprintf(file, "P6 %d %d 255\n", (int)picture->width, (int)picture->height) > 0 &&
                  fwrite(picture->pixels, 1, bytes, file) == bytes;
    if (file && fclose(file) != 0) written = 0;
    if (!written) perror(path);
    return written;
}
