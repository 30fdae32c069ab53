// SPDX-License-Identifier: BSD-3-Clause
// How a check reports: one line for the whole job, whichever PE is first.
#include "check_internal.h"

// Seconds that a PE whose fault is not reported waits for the job's end.
#define SECONDS_TO_WAIT_FOR_THE_END 2

void *skerry_check_memory(void) {
    size_t bytes;
    char *memory = skerry_system_memory(&bytes);
    return memory + bytes - SKERRY_TAIL_BYTES;
}

// Every PE checks if one does: a check waits for its like in the other PEs, and blocks of a checked heap are longer. Which PE comes upon
// a mistake that gives a warning is chance, so that strictness is the job's too. Nobody reads the words before the barrier of set-up, and nobody writes them after.
void skerry_check_announce(void) {
    struct skerry_check_job *job = skerry_check_memory();
    if (skerry_checking) skerry_atomic_store_64(&job->wanted, 1, 0);
    if (skerry_checking_strictly) skerry_atomic_store_64(&job->wanted_strictly, 1, 0);
}

void skerry_check_join(void) {
    struct skerry_check_job *job = skerry_check_memory();
    if (!skerry_checking && skerry_get_value(uint64_t, &job->wanted, 0)) skerry_checking = SKERRY_CHECKING_CALLS;
    if (skerry_get_value(uint64_t, &job->wanted_strictly, 0)) skerry_checking_strictly = true;
}

void skerry_check_fail(const char *routine, const char *text, const long *values, int count) {
    struct skerry_check_job *job = skerry_check_memory();
    if (skerry_atomic_swap_64(&job->reported, 1, 0) != 0) {
        uint64_t end = skerry_ticks() + SECONDS_TO_WAIT_FOR_THE_END * skerry_ticks_per_second();
        SKERRY_PAUSE(pause);
        while (skerry_ticks() < end) skerry_pause(&pause, skerry_my_pe());
    }
    skerry_fail_values(routine, text, values, count);
}

// FNV-1a, 64 bits; never 0.
static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash ? hash : 1;
}

// The first PE that enters a routine's hash writes its line. Entries are never taken out, so a search that meets an empty one has
// seen all of them. When all are in use, further routines give no line.
void skerry_check_warn(const char *routine, const char *text, const long *values, int count) {
    if (skerry_checking_strictly) skerry_check_fail(routine, text, values, count);
    struct skerry_check_job *job = skerry_check_memory();
    uint64_t hash = hash_of(routine);
    for (int i = 0; i < SKERRY_CHECK_WARNINGS; i++) {
        uint64_t found = skerry_atomic_compare_swap_64(&job->warned[i], 0, hash, 0);
        if (found == hash) return;
        if (found) continue;
        struct skerry_check_text line = {.length = 0};
        skerry_check_append(&line, "warning: ");
        skerry_check_append(&line, text);
        skerry_check_append(&line, " (an error by SKERRY_CHECK=strict)");
        skerry_tell_values(routine, line.at, values, count);
        return;
    }
}

void skerry_check_warn_in_place(const char *routine, const void *dest) {
    skerry_check_warn(routine, "dest @ is the source too; the specification wants them apart",
                      (long[]){(long)(uintptr_t)dest}, 1);
}

void skerry_check_append(struct skerry_check_text *text, const char *piece) {
    while (*piece && text->length < sizeof text->at - 1) text->at[text->length++] = *piece++;
    text->at[text->length] = 0;
}

void skerry_check_append_number(struct skerry_check_text *text, uint64_t number) {
    char digits[21];
    char *first = digits + sizeof digits - 1;
    *first = 0;
    do *--first = (char)('0' + number % 10);
    while (number /= 10);
    skerry_check_append(text, first);
}

bool skerry_check_contains(const char *text, const char *piece) {
    for (; *text; text++) {
        size_t i = 0;
        while (piece[i] && text[i] == piece[i]) i++;
        if (!piece[i]) return true;
    }
    return false;
}

// A lock over the checks' own words. Interrupts are masked while it is held: a remote procedure that runs in this PE's handler calls checked
// routines too, and would wait for ever for the lock of the thread that it has interrupted.
static uint32_t occupied;
static uint32_t mask_of_holder; // the holder's, to be restored

void skerry_check_enter(void) {
    uint32_t mask = skerry_mask_interrupts();
    while (__atomic_exchange_n(&occupied, 1, __ATOMIC_ACQUIRE)) skerry_poll_again();
    mask_of_holder = mask;
}

void skerry_check_leave(void) {
    uint32_t mask = mask_of_holder;
    __atomic_store_n(&occupied, 0, __ATOMIC_RELEASE);
    skerry_unmask_interrupts(mask);
}
