// SPDX-License-Identifier: BSD-3-Clause
// Chooses the tuning values of this PE (../tuning.h). The PE starts from guessed values (skerry_guess_tuning). Values
// that skerry-tune has measured on this processor replace the guessed values. Settings in environment variables replace
// both.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "copy_choice.h"
#include "internal.h"
#include "../tuning_file.h"

struct skerry_tuning skerry_tuning;

void skerry_guess_tuning(struct skerry_tuning *tuning) {
    // The two values for queues were found by bench/limits/ring.c and bench/segments/aos.c, on two processors: a Zen 4,
    // and an Intel Xeon with 2 MiB of L2.
    *tuning = (struct skerry_tuning){.poll_pauses = 1, .queue_lines_ahead = 4, .queue_moments_back = 64};
    skerry_copy_guess(&tuning->copy);
}

// Replaces the guessed values by measured values. A bad file of measured values must not stop a program. So the guessed
// values stay if the text is damaged, or if this processor lacks instructions of the measured copy loop.
static void take_measured(const char *text) {
    struct skerry_tuning measured = skerry_tuning;
    if (skerry_parse_tuning(text, &measured) || !skerry_copy_use(&measured.copy)) return;
    skerry_tuning = measured;
}

static void take_named_copy(const char *name) {
    struct skerry_copy_choice copy;
    if (!skerry_copy_named(name, &copy) || !skerry_copy_use(&copy))
        skerry_refuse(
            "SKERRY_COPY=%s: must be sse2, string, avx2, avx512 or avx512_wide, and this processor must support it",
            name);
    skerry_tuning.copy = copy;
}

static void take_setting(const char *text) {
    const char *wrong = skerry_parse_tuning(text, &skerry_tuning);
    if (wrong)
        skerry_refuse(
            "SKERRY_TUNING=%s: \"%.*s\" must be NAME=NUMBER or \"none\"; skerry-tune(1) lists names and ranges", text,
            (int)strcspn(wrong, " \t\n"), wrong);
    if (!skerry_copy_use(&skerry_tuning.copy))
        skerry_refuse("SKERRY_TUNING=copy=%s: this processor does not support this copy loop", skerry_tuning.copy.loop);
}

#define QUICK_POLLS 32
#define QUICK_POLLS_BARE 512 // polls without pauses; they take about as long as QUICK_POLLS polls with pauses

void skerry_use_poll_pauses(uint32_t pauses) {
    skerry_facts.poll_pauses = (uint16_t)pauses;
    skerry_facts.quick_polls = pauses ? QUICK_POLLS : QUICK_POLLS_BARE;
}

void skerry_choose_tuning(const char *measured) {
    char path[SKERRY_TUNING_PATH_BYTES], text[SKERRY_TUNING_TEXT_BYTES];
    const char *name = getenv("SKERRY_COPY"), *setting = getenv("SKERRY_TUNING");
    bool is_none = setting && strcmp(setting, "none") == 0;
    skerry_guess_tuning(&skerry_tuning);
    const bool is_alone = !skerry_job.launched && !skerry_job.managed;
    if (!measured && is_alone && !is_none && skerry_tuning_path(path) && skerry_read_tuning(path, text))
        measured = text;
    if (measured && !is_none) take_measured(measured);
    if (name && *name) take_named_copy(name);
    if (setting && *setting && !is_none) take_setting(setting);
    skerry_copy_use(&skerry_tuning.copy);
    skerry_use_poll_pauses(skerry_tuning.poll_pauses);
    skerry_facts.stream_lines_ahead = (uint16_t)skerry_tuning.queue_lines_ahead;
    skerry_facts.stream_moments_back = (uint16_t)skerry_tuning.queue_moments_back;
}
