// SPDX-License-Identifier: BSD-3-Clause
// Reports the mistakes that the checks find. The first PE that finds an error writes the only error line of the job.
#include "check_internal.h"

// Seconds that a PE waits for the end of the job if another PE was the first to report a mistake.
#define SECONDS_TO_WAIT_FOR_THE_END 2

void *skerry_check_memory(void) {
    size_t bytes;
    char *memory = skerry_system_memory(&bytes);
    return memory + bytes - SKERRY_TAIL_BYTES;
}

// Stores in PE 0's memory that this PE wants checks. PEs write the words `wanted` and `wanted_strictly` before the
// first barrier of shmem_init, and read them only after that barrier. If one PE checks, all PEs check:
// - The check of a collective waits for the checks of the other members.
// - The blocks of a checked heap are longer. A block would have different offsets in PEs with and without checks.
// - SKERRY_CHECK=strict (a warning ends the job) in one PE counts for all PEs, because chance decides which PE finds a
//   mistake.
void skerry_check_announce(void) {
    struct skerry_check_job *job = skerry_check_memory();
    if (skerry_checking) skerry_atomic_store_64(&job->wanted, 1, 0);
    if (skerry_checking_strictly) skerry_atomic_store_64(&job->wanted_strictly, 1, 0);
}

// Returns the first PE of this node. All PEs of the node read `wanted` and `wanted_strictly` from the memory of this
// first PE.
static int first_of_node(void) {
    return skerry_has_far_pes() ? skerry_node_first(skerry_node_of(skerry_my_pe())) : 0;
}

// If this PE is the first PE of its node, copies `wanted` and `wanted_strictly` from PE 0's memory to its own memory.
// The other PEs of the node read the copies. So only one PE of each node needs a connection to PE 0's node.
void skerry_check_share(void) {
    struct skerry_check_job *job = skerry_check_memory();
    if (skerry_my_pe() == 0 || first_of_node() != skerry_my_pe()) return;
    job->wanted = skerry_get_value(uint64_t, &job->wanted, 0);
    job->wanted_strictly = skerry_get_value(uint64_t, &job->wanted_strictly, 0);
}

void skerry_check_join(void) {
    struct skerry_check_job *job = skerry_check_memory();
    const int first = first_of_node();
    if (!skerry_checking && skerry_get_value(uint64_t, &job->wanted, first)) skerry_checking = SKERRY_CHECKING_CALLS;
    if (skerry_get_value(uint64_t, &job->wanted_strictly, first)) skerry_checking_strictly = true;
}

void skerry_check_note_global(void) {
    struct skerry_check_job *job = skerry_check_memory();
    if (!job->uses_global) skerry_atomic_store_64(&job->uses_global, 1, skerry_my_pe());
}

// A PE that got the address from another PE possibly has not called shmemx_global. So the words of all PEs are read, once. The
// store of skerry_check_note_global is a release and is executed before the program can pass the address on, so a PE that
// has the address reads 1.
bool skerry_check_uses_global(void) {
    static bool is_used;
    struct skerry_check_job *job = skerry_check_memory();
    if (__atomic_load_n(&is_used, __ATOMIC_RELAXED) || job->uses_global) return true;
    for (int pe = 0; pe < skerry_pe_count(); pe++) {
        if (!skerry_atomic_load_64(&job->uses_global, pe)) continue;
        __atomic_store_n(&is_used, true, __ATOMIC_RELAXED);
        return true;
    }
    return false;
}

// Waits for the end of the job. A remote procedure must not wait by skerry_pause, which would report that as its mistake.
static void await_end(void) {
    const uint64_t end = skerry_ticks() + SECONDS_TO_WAIT_FOR_THE_END * skerry_ticks_per_second();
    SKERRY_PAUSE(pause);
    while (skerry_ticks() < end)
        if (!skerry_in_handler()) skerry_pause(&pause, skerry_my_pe());
}

void skerry_check_fail(const char *routine, const char *text, const long *values, int count) {
    struct skerry_check_job *job = skerry_check_memory();
    if (skerry_atomic_swap_64(&job->reported, 1, 0) != 0) await_end();
    skerry_fail_values(routine, text, values, count);
}

// Returns the 64-bit FNV-1a hash of a text. Returns 1 if the hash is 0, because 0 marks an empty entry.
static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash ? hash : 1;
}

// Writes a warning, at most one for each routine in a job. With strict checks (skerry_checking_strictly) the function
// ends the job with an error message instead. PE 0 has a table with the hashes of the routines that gave a warning:
// - Only the PE that enters a routine's hash in this table prints the warning.
// - Entries are never removed. So a search that reaches an empty entry has passed all used entries.
// - If all entries are in use, further routines give no warning.
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
        skerry_check_append(&line, " (SKERRY_CHECK=strict makes this an error)");
        skerry_report_values(routine, line.at, values, count);
        return;
    }
}

void skerry_check_warn_in_place(const char *routine, const void *dest) {
    skerry_check_warn(routine, "dest @ is also the source; the specification requires different arrays",
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

// Lock that protects the tables of the checks, and the heap. Interrupts are masked while a thread holds the lock. If
// they were not, a remote procedure could interrupt the holder and call a checked routine. That routine would wait for
// the lock for ever, because the interrupted holder cannot release it.
static uint32_t occupied;
static uint32_t mask_of_holder; // interrupt mask of the holder before it took the lock

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
