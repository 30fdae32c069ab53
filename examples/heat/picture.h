// SPDX-License-Identifier: BSD-3-Clause
// A PNG file as rows of red, green and blue bytes. Whatever the file holds (grey, palette, 16 bits, transparency) is
// converted by libpng; transparency is dropped.
#pragma once
#include <stddef.h>

typedef struct {
    size_t width, height;
    unsigned char *pixels; // height rows of width pixels of three bytes; belongs to the picture
} Picture;

// All return 1, or 0 after one line about the failure on standard error. The reader of a picture frees its pixels.
int picture_may_be_written(const char *path);
int picture_read(const char *path, Picture *picture);
int picture_write(const char *path, const Picture *picture);
