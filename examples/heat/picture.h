// SPDX-License-Identifier: BSD-3-Clause
// A PNG file as rows of red, green and blue bytes. libpng converts every other format (grey, palette, 16 bits) and
// drops transparency.
#pragma once
#include <stddef.h>

typedef struct {
    size_t width, height;
    unsigned char *pixels; // `height` rows of `width` pixels of three bytes each
} Picture;

// All functions return 1. If they fail, they write one line to standard error and return 0. The caller that reads a
// picture frees its pixels.
int picture_may_be_written(const char *path);
int picture_read(const char *path, Picture *picture);
int picture_write(const char *path, const Picture *picture);
