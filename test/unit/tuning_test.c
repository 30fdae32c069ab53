// SPDX-License-Identifier: BSD-3-Clause
// The text form of what was measured: what is written is read, and a text with one wrong word changes nothing.
#include <stdio.h>
#include <string.h>

#include "../../src/machine/linux/tuning.h"

static int failures;

static void expect(bool right, const char *what) {
    if (right) return;
    fprintf(stderr, "tuning_test: %s\n", what);
    failures++;
}

// By the text, because the structure has bytes that belong to no member.
static bool are_same(const struct skerry_tuning *left, const struct skerry_tuning *right) {
    char texts[2][SKERRY_TUNING_TEXT_BYTES];
    skerry_format_tuning(left, texts[0]);
    skerry_format_tuning(right, texts[1]);
    return strcmp(texts[0], texts[1]) == 0;
}

static void check_round_trip(void) {
    struct skerry_tuning written = {.copy = {.loop = "avx512_wide4567",
                                             .string_from = UINT64_MAX,
                                             .string_below = UINT64_MAX - 1,
                                             .stream_from = UINT64_MAX - 2,
                                             .cache_bytes = UINT64_MAX - 3,
                                             .string_unaligned = 1},
                                    .poll_pauses = SKERRY_POLL_PAUSES_MOST,
                                    .queue_lines_ahead = SKERRY_LINES_AHEAD_MOST - 1,
                                    .queue_moments_back = SKERRY_MOMENTS_BACK_MOST};
    struct skerry_tuning read = {.queue_lines_ahead = 0};
    char text[SKERRY_TUNING_TEXT_BYTES];
    memset(text, 'x', sizeof text);
    skerry_format_tuning(&written, text);
    expect(strlen(text) < sizeof text - 1, "the longest text is cut");
    expect(strcmp(text, "copy=avx512_wide4567 string_from=18446744073709551615 string_below=18446744073709551614 "
                        "string_unaligned=1 stream_from=18446744073709551613 cache_bytes=18446744073709551612 "
                        "poll_pauses=64 queue_lines_ahead=63 queue_moments_back=4096") == 0,
           "the text is another");
    expect(!skerry_parse_tuning(text, &read), "what was written is refused");
    expect(are_same(&read, &written), "what was written is read otherwise");
}

static void check_refused(const char *text, const char *wrong) {
    struct skerry_tuning tuning = {.queue_lines_ahead = 5}, before = {.queue_lines_ahead = 5};
    const char *found = skerry_parse_tuning(text, &tuning);
    expect(found && strcmp(found, wrong) == 0, text);
    expect(are_same(&tuning, &before), "a refused text changes something");
}

int main(void) {
    struct skerry_tuning tuning = {.queue_lines_ahead = 5};
    check_round_trip();
    check_refused("queue_lines_ahead=1 nothing=2", "nothing=2");
    check_refused("queue_lines_ahead=1 string_from", "string_from");
    check_refused("string_from=", "string_from=");
    check_refused("string_unaligned=2", "string_unaligned=2");
    check_refused("poll_pauses=65", "poll_pauses=65");
    check_refused("queue_lines_ahead=65", "queue_lines_ahead=65");
    check_refused("queue_moments_back=4097", "queue_moments_back=4097");
    check_refused("string_from=18446744073709551616", "string_from=18446744073709551616");
    check_refused("queue_lines_ahead=4294967296", "queue_lines_ahead=4294967296");
    check_refused("string_from=1x", "string_from=1x");
    check_refused("string_from=0x10 a=b", "string_from=0x10 a=b");
    check_refused("copy=longerthan15bytes", "copy=longerthan15bytes");
    check_refused("=1", "=1");
    expect(!skerry_parse_tuning("", &tuning) && tuning.queue_lines_ahead == 5, "an empty text changes something");
    expect(!skerry_parse_tuning("  queue_moments_back=7\n", &tuning) && tuning.queue_moments_back == 7, "spaces");
    return failures != 0;
}
