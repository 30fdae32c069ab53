// SPDX-License-Identifier: BSD-3-Clause
// Defines a text in a buffer, and functions that append characters, strings and numbers to the text. If the buffer is
// too small, the text is truncated. Even then `length` counts all characters, so the caller learns the length of the
// full text.
#ifndef SKERRY_OMP_TEXT_H
#define SKERRY_OMP_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "../../machine/machine.h"

struct omp_text {
    char *to;
    size_t room; // size of the buffer in bytes; the last byte is for the 0 at the end
    size_t length;
};

SKERRY_ALWAYS_INLINE void omp_text_char(struct omp_text *text, char character) {
    if (text->length + 1 < text->room) text->to[text->length] = character;
    text->length++;
}

SKERRY_ALWAYS_INLINE void omp_text_string(struct omp_text *text, const char *string) {
    while (*string) omp_text_char(text, *string++);
}

SKERRY_ALWAYS_INLINE void omp_text_number(struct omp_text *text, int64_t number) {
    char digits[20];
    int count = 0;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    if (number < 0) omp_text_char(text, '-');
    do digits[count++] = (char)('0' + left % 10);
    while (left /= 10);
    while (count) omp_text_char(text, digits[--count]);
}

// Appends the terminating 0 to the text, and returns the text.
SKERRY_ALWAYS_INLINE const char *omp_text_end(struct omp_text *text) {
    if (text->room) text->to[text->length < text->room ? text->length : text->room - 1] = '\0';
    return text->to;
}

#define OMP_TEXT(name, bytes)                                                                                          \
    char name##_room[bytes];                                                                                           \
    struct omp_text name = {name##_room, sizeof name##_room, 0}

#endif
