// SPDX-License-Identifier: BSD-3-Clause
// Reads the environment variables that choose variants (implementations) of constructs (variant.h). The default library
// has one variant of each construct. If a value names another variant, the default library ignores the value and writes
// a warning.
#include "../variant/variant.h"
#include "display.h"
#include "parse.h"

#define WORDS_MAX 4

static const struct construct {
    const char *name, *variable, *words[WORDS_MAX], *rule;
    int count; // number of words; the index of a word is its variant's value
} constructs[OMP_CONSTRUCTS] = {
    [OMP_PARALLEL] = {"parallel", "SKERRY_OMP_PARALLEL", {"mailbox", "queue"}, "mailbox or queue", 2},
    [OMP_JOIN] = {"join", "SKERRY_OMP_JOIN", {"counter", "flags"}, "counter or flags", 2},
    [OMP_BARRIER] = {"barrier", "SKERRY_OMP_BARRIER", {"pair", "counter", "mutex"}, "pair, counter or mutex", 3},
    [OMP_LOCK] = {"lock", "SKERRY_OMP_LOCK", {"mutex", "queue"}, "mutex or queue", 2},
    [OMP_TASKS] =
        {"tasks", "SKERRY_OMP_TASKS", {"deque", "srq", "mrq", "locks"}, "deque, srq, mrq or locks", WORDS_MAX},
};

#ifdef SKERRY_OMP_VARIANTS

uint32_t skerry_omp_variants[OMP_CONSTRUCTS];

static void choose(int construct, int variant) {
    skerry_omp_variants[construct] = (uint32_t)variant;
}

void skerry_omp_show_variants(void) {
    for (int i = 0; i < OMP_CONSTRUCTS; i++) {
        OMP_TEXT(text, 16);
        for (const char *at = constructs[i].words[skerry_omp_variants[i]]; *at; at++)
            omp_text_char(&text, (char)(*at - 'a' + 'A'));
        skerry_omp_show(constructs[i].variable, omp_text_end(&text));
    }
}

#else

// Writes a warning if a variant other than 0 was requested. The default library has only variant 0 of each construct.
static void choose(int construct, int variant) {
    if (!variant) return;
    const char *word = constructs[construct].words[variant];
    OMP_TEXT(line, 256);
    omp_text_string(&line, "libgomp: ");
    omp_text_string(&line, constructs[construct].variable);
    omp_text_char(&line, '=');
    omp_text_string(&line, word);
    if (SKERRY_STATIC_LIBRARY) {
        omp_text_string(&line, " has no effect on this machine, whose programs have no library of variants");
    } else {
        omp_text_string(&line, " has no effect: only the library of variants has it (skerry omp --variant ");
        omp_text_string(&line, constructs[construct].name);
        omp_text_char(&line, '=');
        omp_text_string(&line, word);
        omp_text_string(&line, " PROGRAM)");
    }
    skerry_warn(omp_text_end(&line));
}

#endif

void skerry_omp_read_variants(void) {
    for (int i = 0; i < OMP_CONSTRUCTS; i++) {
        const struct construct *construct = &constructs[i];
        const char *value = skerry_environment(construct->variable), *text = value;
        if (!value || skerry_omp_parse_end(&text)) continue; // not set, or empty
        int variant = skerry_omp_parse_choice(&text, construct->words, construct->count);
        if (variant >= 0 && skerry_omp_parse_end(&text)) choose(i, variant);
        else skerry_omp_warn_of_variable(construct->variable, value, construct->rule);
    }
}
