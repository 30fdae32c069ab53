// SPDX-License-Identifier: BSD-3-Clause
// Lists the environment variables, compares names with the list, and reads values that are words.
#include "variables.h"

#include <string.h>
#include <strings.h>

#define SWITCH "0|1"

// The table of all environment variables. docs/index.md describes the same variables (test/docs/check_variables.py
// compares the lists).
const struct skerry_variable skerry_variables[] = {
    {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", "BYTES[k|m|g|t]", "symmetric heap of each PE"},
    {"SHMEM_VERSION", "SMA_VERSION", "any", "print the version at start-up"},
    {"SHMEM_INFO", "SMA_INFO", "any", "print this text"},
    {"SHMEM_DEBUG", "SMA_DEBUG", "any", "print properties of the machine that the library has detected"},
    {"SKERRY_CHECK", NULL, "0|1|strict", "check every call that is not inlined; strict: warnings are errors"},
    {"SKERRY_RPC_DEPTH", NULL, "N", "largest number of calls that wait in a PE's queue, 0 to 1024 (64 unless set)"},
    {"SKERRY_ATTENTION", NULL, "WORD", "how a PE that computes runs calls: signal (unless set), thread or none"},
    {"SKERRY_TUNING", NULL, "NAME=VALUE...", "values that replace those measured on this processor; or none"},
    {"SKERRY_CACHE", NULL, "FOLDER", "folder for the measured values and the chip tools"},
    {"SKERRY_COPY", NULL, "WORD", "copy loop: sse2, string, avx2, avx512 or avx512_wide (x86-64)"},
    {"SKERRY_HUGE_PAGES", NULL, SWITCH, "use huge pages for the symmetric heap"},
    {"SKERRY_NO_MEMFD", NULL, SWITCH, "do not use memfd_create"},
    {"SKERRY_NO_MEMBARRIER", NULL, SWITCH, "do not use membarrier"},
    {"SKERRY_NO_CROSS_MEMORY", "SKERRY_NO_REACH", SWITCH, "do not use process_vm_readv and process_vm_writev"},
    {"SKERRY_NETWORK_PUT", NULL, "WORD[:BYTES]", "large puts to PEs of other nodes: message or remote"},
    {"SKERRY_ATOMICS", NULL, "WORD", "processor, the only way in which atomics are executed"},
    {"SKERRY_PMIX", NULL, "none", "each process that a PMIx launcher starts is a job of one PE"},
    {"SKERRY_SSH", NULL, "COMMAND", "oshrun --hosts: command in place of ssh and its options"},
    {"SKERRY_CC", NULL, "COMMAND", "oshcc: the compiler in place of cc"},
    {"SKERRY_CXX", NULL, "COMMAND", "oshc++: the compiler in place of c++"},
    {"SKERRY_EPIPHANY_CC", NULL, "COMMAND", "oshcc --machine: the compiler for Epiphany cores"},
    {"SKERRY_RISCV_CC", NULL, "COMMAND", "oshcc --machine: the compiler for RISC-V cores"},
    {"SKERRY_SOURCES", NULL, "FOLDER", "make chip: sources of the chip tools"},
    {"SKERRY_OMP_PARALLEL", NULL, "WORD", "OpenMP's alternative implementations: mailbox or queue"},
    {"SKERRY_OMP_JOIN", NULL, "WORD", "the same: counter or flags"},
    {"SKERRY_OMP_BARRIER", NULL, "WORD", "the same: pair, counter or mutex"},
    {"SKERRY_OMP_LOCK", NULL, "WORD", "the same: mutex or queue"},
    {"SKERRY_OMP_TASKS", NULL, "WORD", "the same: deque, srq, mrq or locks"},
    // Variables that oshrun, a PE or a test sets.
    {"SKERRY_PE", NULL, NULL, NULL},
    {"SKERRY_PES", NULL, NULL, NULL},
    {"SKERRY_TERMINAL", NULL, NULL, NULL},
    {"SKERRY_JOB", NULL, NULL, NULL},
    {"SKERRY_HOST_LINK", NULL, NULL, NULL},
    {"SKERRY_NODE", NULL, NULL, NULL},
    {"SKERRY_NODES", NULL, NULL, NULL},
    {"SKERRY_NODE_LAUNCHER", NULL, NULL, NULL},
    {"SKERRY_PROCESSORS", NULL, NULL, NULL},
    {"SKERRY_RESTARTS", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

// -- Names -------------------------------------------------------------------------------------------------------------

#define NAME_BYTES 40 // longer names are not compared

// Returns the length of the prefix of Skerry's or OpenSHMEM's variables, or 0 if `name` has no such prefix.
static unsigned prefix_length(const char *name) {
    static const char *const prefixes[] = {"SKERRY_", "SHMEM_", "SMA_"};
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return (unsigned)strlen(prefixes[i]);
    return 0;
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

// Returns the Damerau-Levenshtein distance: how many letters must be inserted, removed, replaced or exchanged with
// their neighbour to make one name from the other. Both names have fewer than NAME_BYTES bytes.
static unsigned distance(const char *a, unsigned a_length, const char *b, unsigned b_length) {
    unsigned rows[3][NAME_BYTES], *before = rows[0], *last = rows[1], *now = rows[2];
    for (unsigned j = 0; j <= b_length; j++) last[j] = j;
    for (unsigned i = 1; i <= a_length; i++) {
        now[0] = i;
        for (unsigned j = 1; j <= b_length; j++) {
            now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        unsigned *free_row = before;
        before = last, last = now, now = free_row;
    }
    return last[b_length];
}

static bool is_name(const char *known, const char *name, unsigned length) {
    return known && strlen(known) == length && strncmp(known, name, length) == 0;
}

const struct skerry_variable *skerry_meant_variable(const char *name, unsigned length) {
    const unsigned prefix = prefix_length(name);
    if (!prefix || length <= prefix || length >= NAME_BYTES) return NULL;
    // The prefixes are not compared, so that SKERRY_DEBUG is like SHMEM_DEBUG. Short names are often similar by chance.
    // So a name of up to five letters is allowed to differ in one letter, and a longer name in a third of its letters.
    const unsigned rest = length - prefix, most = rest <= 5 ? 1 : rest / 3;
    const struct skerry_variable *found = NULL;
    unsigned nearest = most + 1;
    for (const struct skerry_variable *each = skerry_variables; each->name; each++) {
        if (is_name(each->name, name, length) || is_name(each->older, name, length)) return NULL;
        if (!each->meaning) continue;
        const char *known = each->name + prefix_length(each->name);
        const unsigned far = distance(name + prefix, rest, known, (unsigned)strlen(known));
        if (far < nearest) nearest = far, found = each;
    }
    return found;
}

// -- Values ------------------------------------------------------------------------------------------------------------

static bool is_blank(char letter) {
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

// Returns true if the text is `word`, in upper or lower case, followed by blanks only.
static bool is_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    if (strncasecmp(text, word, length) != 0) return false;
    for (text += length; is_blank(*text);) text++;
    return !*text;
}

int skerry_find_word(const char *text, const char *const *words, int count) {
    while (text && is_blank(*text)) text++;
    if (!text || !*text) return SKERRY_WORD_NONE;
    for (int i = 0; i < count; i++)
        if (is_word(text, words[i])) return i;
    return SKERRY_WORD_WRONG;
}

int skerry_switch_value(const char *text) {
    static const char *const words[] = {"0", "no", "off", "false", "1", "yes", "on", "true"};
    const int word = skerry_find_word(text, words, sizeof words / sizeof *words);
    return word < 0 ? word : word >= 4;
}
