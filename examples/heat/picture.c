// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes PNG files by libpng's simplified interface. Its functions print nothing: they return 0 on an error,
// and png_image.message then has the reason.
#include "picture.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Largest width or height, in pixels, that is accepted. A larger number shows that the file is damaged, or is too large
// for an example.
static const size_t largest_side = 32768;

static int fail(const char *doing, const char *path, const char *why) {
    fprintf(stderr, "heat: cannot %s %s: %s\n", doing, path, why);
    return 0;
}

static int read_pixels(png_image *image, const char *path, Picture *picture) {
    if (image->width > largest_side || image->height > largest_side)
        return fail("read", path, "the picture is larger than 32768 pixels on a side");
    image->format = PNG_FORMAT_RGB;
    picture->width = image->width;
    picture->height = image->height;
    picture->pixels = malloc(PNG_IMAGE_SIZE(*image));
    if (picture->pixels == NULL) return fail("read", path, "not enough memory");
    const png_color black = {0, 0, 0};
    if (png_image_finish_read(image, &black, picture->pixels, 0, NULL)) return 1;
    free(picture->pixels);
    picture->pixels = NULL;
    return fail("read", path, image->message);
}

int picture_read(const char *path, Picture *picture) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return fail("read", path, strerror(errno));
    unsigned char start[8];
    const size_t length = fread(start, 1, sizeof start, file);
    const int reason = ferror(file) ? errno : 0;
    rewind(file);

    png_image image = {.version = PNG_IMAGE_VERSION};
    int done;
    if (reason != 0) done = fail("read", path, strerror(reason)); // for example, a folder can be opened but not read
    else if (length < sizeof start || png_sig_cmp(start, 0, sizeof start) != 0)
        done = fail("read", path, "not a PNG file");
    else if (!png_image_begin_read_from_stdio(&image, file)) done = fail("read", path, image.message);
    else done = read_pixels(&image, path, picture);
    png_image_free(&image);
    fclose(file);
    return done;
}

int picture_may_be_written(const char *path) {
    FILE *file = fopen(path, "ab");
    if (file == NULL) return fail("write", path, strerror(errno));
    fclose(file);
    return 1;
}

int picture_write(const char *path, const Picture *picture) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) return fail("write", path, strerror(errno));
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGB};
    const int written = png_image_write_to_stdio(&image, file, 0, picture->pixels, 0, NULL);
    const int reason = errno;
    if (fclose(file) != 0 && written) return fail("write", path, strerror(errno));
    return written ? 1 : fail("write", path, image.message[0] != '\0' ? image.message : strerror(reason));
}
