// SPDX-License-Identifier: BSD-3-Clause
// Implements the routines that start programs on the clusters (groups of cores) of an MPPA processor, and wait for the
// programs' end. They return the number of the cluster, which programs for MPPA use as the number of a process.
#include "internal.h"

static uint32_t awaited; // bit p: mppa_power_base_waitpid has returned the end of the last program of PE p

// Writes the name of a program for messages, for example "cluster 12" or "I/O 192".
static void write_title(char *title, int server) {
    const char *kind = server < MPPA_CLUSTERS ? "cluster " : "I/O ";
    while (*kind) *title++ = *kind++;
    char digits[4];
    int count = 0;
    do digits[count++] = (char)('0' + server % 10);
    while (server /= 10);
    while (count > 0) *title++ = digits[--count];
    *title = 0;
}

// Returns the PE of a cluster or of the second I/O program. Only the master is allowed to start programs, so any other
// caller ends the job with an error message. A `cluster` that is the number of the master or of no program also ends
// the job.
static int pe_to_start(const char *routine, int cluster) {
    if (skerry_my_pe() != SKERRY_MPPA_MASTER)
        skerry_fail(routine, "only the master (the program on the first I/O processor) can start programs");
    int pe = skerry_mppa_pe_of(cluster);
    if (pe <= SKERRY_MPPA_MASTER)
        skerry_fail_values(routine, "cluster #: must be 0 to 15, or 192 for the second I/O program", (long[]){cluster},
                           1);
    return pe;
}

mppa_power_pid_t mppa_power_base_spawn(int cluster, const char *program, mppa_power_strings_t arguments,
                                       mppa_power_strings_t environment, int flags) {
    static const char routine[] = "mppa_power_base_spawn";
    (void)flags;
    int pe = pe_to_start(routine, cluster);
    if (!program) skerry_fail(routine, "program: must not be NULL");
    if (!skerry_programs_admit(SKERRY_MPPA_PES))
        skerry_fail(routine, "this job cannot start the clusters' programs: start the master alone or with oshrun -n "
                             "1, and call this routine before shmem_init");
    skerry_mppa_begin_clock();
    skerry_mppa_note_starter();
    skerry_mppa_serve_programs();
    char title[16];
    write_title(title, cluster);
    const char *const name_alone[] = {program, 0};
    struct skerry_mppa_board *board = skerry_mppa_board();
    skerry_atomic_fetch_and_32(&board->done, ~(1u << pe), SKERRY_MPPA_MASTER);
    skerry_atomic_fetch_and_32(&board->ending, ~(1u << pe), SKERRY_MPPA_MASTER);
    const char *const *words = arguments.strings ? arguments.strings : name_alone;
    skerry_atomic_fetch_and_32(&board->stuck, ~(1u << pe), SKERRY_MPPA_MASTER);
    const uint32_t before = __atomic_fetch_and(&awaited, ~(1u << pe), __ATOMIC_RELAXED);
    if (!skerry_program_start(pe, title, program, words, environment.strings)) {
        __atomic_fetch_or(&awaited, before & 1u << pe, __ATOMIC_RELAXED);
        return -1;
    }
    skerry_atomic_fetch_or_32(&board->started, 1u << pe, SKERRY_MPPA_MASTER);
    return cluster;
}

mppa_power_pid_t mppa_power_base_waitpid(mppa_power_pid_t cluster, int *status, int options) {
    (void)options;
    const int pe = pe_to_start(__func__, cluster);
    skerry_mppa_begin_master_wait(1u << pe);
    const int code = skerry_program_wait(pe);
    skerry_mppa_end_master_wait();
    if (code < 0 || __atomic_fetch_or(&awaited, 1u << pe, __ATOMIC_RELAXED) >> pe & 1) return -1;
    if (status) *status = code;
    return cluster;
}
