// SPDX-License-Identifier: BSD-3-Clause
// Converts tuning values (struct skerry_tuning) to text and back. The text is kept in a file, and the launcher passes
// it to PEs. This file is also part of the launcher and of skerry-tune. So it includes only headers of the C library.
#include "tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATORS " \t\n"

struct number {
    const char *name;
    size_t offset;
    size_t bytes; // 4 or 8
    uint64_t most;
};

#define NUMBER(NAME, MEMBER, MOST)                                                                                     \
    { NAME, offsetof(struct skerry_tuning, MEMBER), sizeof(((struct skerry_tuning *)0)->MEMBER), MOST }
static const struct number numbers[] = {NUMBER("string_from", copy.string_from, UINT64_MAX),
                                        NUMBER("string_below", copy.string_below, UINT64_MAX),
                                        NUMBER("string_unaligned", copy.string_unaligned, 1),
                                        NUMBER("stream_from", copy.stream_from, UINT64_MAX),
                                        NUMBER("cache_bytes", copy.cache_bytes, UINT64_MAX),
                                        NUMBER("poll_pauses", poll_pauses, SKERRY_POLL_PAUSES_MOST),
                                        NUMBER("queue_lines_ahead", queue_lines_ahead, SKERRY_LINES_AHEAD_MOST),
                                        NUMBER("queue_moments_back", queue_moments_back, SKERRY_MOMENTS_BACK_MOST)};

static bool read_number(const char *text, size_t length, uint64_t largest, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (digit > 9 || digit > largest || *value > (largest - digit) / 10) return false;
        *value = *value * 10 + digit;
    }
    return length > 0;
}

// Reads "NAME=VALUE", of `length` characters, into `tuning`. Returns false for any other text.
static bool read_pair(const char *word, size_t length, struct skerry_tuning *tuning) {
    const char *equals = memchr(word, '=', length);
    if (!equals) return false;
    size_t name_length = (size_t)(equals - word), value_length = length - name_length - 1;
    if (name_length == 4 && memcmp(word, "copy", 4) == 0) {
        if (value_length >= sizeof tuning->copy.loop) return false;
        memset(tuning->copy.loop, 0, sizeof tuning->copy.loop);
        memcpy(tuning->copy.loop, equals + 1, value_length);
        return true;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const struct number *number = &numbers[i];
        uint64_t value;
        if (strlen(number->name) != name_length || memcmp(word, number->name, name_length) != 0) continue;
        if (!read_number(equals + 1, value_length, number->most, &value)) return false;
        uint32_t narrow = (uint32_t)value;
        memcpy((char *)tuning + number->offset, number->bytes == 8 ? (void *)&value : (void *)&narrow, number->bytes);
        return true;
    }
    return false;
}

const char *skerry_parse_tuning(const char *text, struct skerry_tuning *tuning) {
    struct skerry_tuning read = *tuning;
    for (text += strspn(text, SEPARATORS); *text; text += strspn(text, SEPARATORS)) {
        size_t length = strcspn(text, SEPARATORS);
        if (!read_pair(text, length, &read)) return text;
        text += length;
    }
    *tuning = read;
    return NULL;
}

void skerry_format_tuning(const struct skerry_tuning *tuning, char text[SKERRY_TUNING_TEXT_BYTES]) {
    int length = snprintf(text, SKERRY_TUNING_TEXT_BYTES, "copy=%s", tuning->copy.loop);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *at = (const char *)tuning + numbers[i].offset;
        uint64_t value = 0;
        uint32_t narrow;
        if (numbers[i].bytes == 8) memcpy(&value, at, sizeof value);
        else memcpy(&narrow, at, sizeof narrow), value = narrow;
        length += snprintf(text + length, (size_t)(SKERRY_TUNING_TEXT_BYTES - length), " %s=%llu", numbers[i].name,
                           (unsigned long long)value);
    }
}
