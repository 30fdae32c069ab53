// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this folder share. The PEs of a job stand for the programs of an MPPA processor. PE 0 is
// the master, and PE 1 + c is cluster c (a group of cores). The last PE is the second I/O program. The board is the
// state that all programs share. PE 0 has it. Programs allocate memory in the two DDRs (the large memories of the two I/O
// nodes), which are the machine's common memories: DDR 0 is memory of PE 0, and DDR 1 memory of the last PE, also while no
// second I/O program runs. A block has the same address in every program.
#ifndef SKERRY_MPPA_INTERNAL_H
#define SKERRY_MPPA_INTERNAL_H

#include <mppa_async.h>

#include "../heap/heap.h"
#include "../machine/machine.h"
#include "../primitive/wait.h"

#define SKERRY_MPPA_MASTER 0
#define SKERRY_MPPA_IO1 (MPPA_CLUSTERS + 1)
#define SKERRY_MPPA_PES (MPPA_CLUSTERS + 2)
_Static_assert(1 + SKERRY_PROGRAMS_MAX == SKERRY_MPPA_PES, "a PE for each program");

#define SKERRY_MPPA_DDRS SKERRY_COMMON_MEMORIES
#define SKERRY_MPPA_DDR_IDENT(NUMBER) (UINT64_MAX - 1 - (NUMBER)) // ident of the segment that is a whole common memory

struct skerry_mppa_barrier {
    uint64_t clusters; // the set of clusters of the barrier; 0: it is free, or the barrier of all clusters
    uint32_t arrived;  // number of programs that have arrived in this round
    uint32_t round;    // number of rounds that are complete
#if !SKERRY_PRIVATE_MEMORY
    uint32_t count;   // number of programs of the barrier
    uint32_t waiting; // bit p: a thread of PE p has arrived in this round
#endif
};
#define SKERRY_MPPA_BARRIERS 65     // with the one of all clusters, which is the first
#define SKERRY_MPPA_ALL_CLUSTERS 0u // stands for the set of this barrier

struct skerry_mppa_board {
    uint32_t clusters;    // number of clusters that take part, set by the master; 0: not yet set
    uint32_t started;     // bit p: a program was started as PE p
    uint32_t done;        // bit p: the program of PE p has called mppa_async_final
    uint32_t ending;      // bit p: the program of PE p is at its end, and destroys its queues and segments
    uint32_t master_wait; // what the master's thread that starts programs waits for; 0: it does not wait (watch.c)
    uint32_t stuck;       // bit p: the program of PE p waits for one that does not run (watch.c)
    uint32_t ddr_lock;    // of the next three fields, which `ddr.c` uses
    uint32_t ddr_formed;
    uint32_t ddr_blocks[SKERRY_MPPA_DDRS]; // allocated ones
    uint64_t cycles_of_tick; // cycles of an MPPA in one tick of this machine's clock, times 2^32; 0: not yet measured
#if SKERRY_PRIVATE_MEMORY
    struct skerry_mppa_barrier barriers[SKERRY_MPPA_BARRIERS];
#else
    // In each PE's own board:
    uint64_t released[SKERRY_MPPA_BARRIERS]; // the number of complete rounds (barrier_served.c)
    uint64_t change;                         // changes when PE 0 notifies this PE (changes.c)
#endif
    struct heap ddr[SKERRY_MPPA_DDRS];
};

SKERRY_ALWAYS_INLINE struct skerry_mppa_board *skerry_mppa_board(void) {
    size_t bytes;
    return skerry_programs_memory(&bytes);
}

SKERRY_ALWAYS_INLINE int skerry_mppa_pe_of(int server) {
    if (server >= 0 && server < MPPA_CLUSTERS) return 1 + server;
    if (server == MPPA_ASYNC_SERVER_IO0) return SKERRY_MPPA_MASTER;
    return server == MPPA_ASYNC_SERVER_IO1 ? SKERRY_MPPA_IO1 : -1;
}

SKERRY_ALWAYS_INLINE int skerry_mppa_server_of(int pe) {
    if (pe == SKERRY_MPPA_MASTER) return MPPA_ASYNC_SERVER_IO0;
    return pe == SKERRY_MPPA_IO1 ? MPPA_ASYNC_SERVER_IO1 : pe - 1;
}

// Ends the job with an error message if this program must not use segments now. The program has not called its set-up
// routine yet, or has already called its final routine.
SKERRY_PRIVATE void skerry_mppa_check_begun(const char *routine);

// Ends the job with an error message if this program is the master and has no call of mppa_power_base_spawn, so that it would
// wait for a program on a cluster for ever. On machines with a shared library this is not known.
#if SKERRY_FAR_WATCHES
SKERRY_PRIVATE void skerry_mppa_check_spawns(const char *routine);
#else
SKERRY_ALWAYS_INLINE void skerry_mppa_check_spawns(const char *routine) {
    (void)routine;
}
#endif

// A wait for other programs, which can never end if too many of them have ended or were not started (watch.c). The caller
// sets the first two members.
struct skerry_mppa_wait {
    uint32_t pes;     // the PEs that the wait is for: a bit for each
    uint32_t spare;   // number of these PEs that need not run
    uint32_t missing; // those that do not run
    uint32_t polls, master;
    uint64_t since;
    bool is_marked;  // this program's bit of `stuck` is set
    bool is_bounded; // looks for missing programs only for some time
    bool is_local;   // so does this wait, and its condition is on a word of this PE's own memory
    bool is_quiet;   // such a wait no longer looks for them
    uint64_t begin;  // when such a wait first looked; 0: not yet
};

#if SKERRY_PRIVATE_MEMORY
#define SKERRY_MPPA_AWAIT_CHANGE(condition, what, value) SKERRY_WAIT_UNTIL(condition, SKERRY_MPPA_MASTER)
#else
// Waits until a condition is true that programs change before they call skerry_mppa_notify_change.
#define SKERRY_MPPA_AWAIT_CHANGE(condition, what, value)                                                               \
    do {                                                                                                               \
        if (condition) break;                                                                                          \
        const uint64_t skerry_before = skerry_mppa_begin_waiting(what, value);                                         \
        if (condition) break;                                                                                          \
        skerry_mppa_await_change(skerry_before);                                                                       \
    } while (1)
#endif

// Waits until a condition on a word of PE `owner` is true. Ends the job with an error message if it can never become true.
#define SKERRY_MPPA_WAIT_UNTIL(condition, owner, routine, wait)                                                        \
    do {                                                                                                               \
        SKERRY_PAUSE(skerry_pausing);                                                                                  \
        while (!(condition)) {                                                                                         \
            if (skerry_mppa_is_lost(wait) && !(condition)) skerry_mppa_stop_lost(routine, wait);                       \
            skerry_pause(&skerry_pausing, owner);                                                                      \
        }                                                                                                              \
        skerry_mppa_end_wait(wait);                                                                                    \
    } while (0)

// Called between two polls. Returns true if the condition can never become true, unless it is true already: the caller
// must poll once more.
SKERRY_PRIVATE bool skerry_mppa_is_lost(struct skerry_mppa_wait *wait);
SKERRY_PRIVATE SKERRY_NORETURN void skerry_mppa_stop_lost(const char *routine, const struct skerry_mppa_wait *wait);
SKERRY_PRIVATE void skerry_mppa_end_wait(struct skerry_mppa_wait *wait);

// Returns the number of members of a set of PEs or clusters.
SKERRY_PRIVATE uint32_t skerry_mppa_count_bits(uint32_t set);

// Waits in the barrier of a set of clusters until `count` programs have arrived. Returns false if there is no barrier left for
// this set. `wait` says which programs can be missing.
SKERRY_PRIVATE bool skerry_mppa_pass_barrier(const char *routine, uint64_t clusters, uint32_t count,
                                             struct skerry_mppa_wait *wait);
#if SKERRY_PRIVATE_MEMORY
SKERRY_ALWAYS_INLINE void skerry_mppa_serve_programs(void) {
}
SKERRY_ALWAYS_INLINE void skerry_mppa_notify_change(void) {
}
#else

// Returns this PE's own board, in which PE 0 stores what this PE waits for.
SKERRY_ALWAYS_INLINE struct skerry_mppa_board *skerry_mppa_own_board(void) {
    return skerry_localize(skerry_mppa_board());
}

// Let PE 0 handle the messages of barrier_served.c and changes.c. PE 0 calls the first function before it starts programs.
SKERRY_PRIVATE void skerry_mppa_serve_programs(void);
SKERRY_PRIVATE void skerry_mppa_serve_changes(void);

// The lock of what PE 0's server does for programs that wait, and a put, under this lock, to the same word of several PEs.
SKERRY_PRIVATE void skerry_mppa_lock_served(void);
SKERRY_PRIVATE void skerry_mppa_unlock_served(void);
SKERRY_PRIVATE void skerry_mppa_put_to_waiting(uint64_t *word, uint64_t value, uint32_t pes);

// A wait for a change that another program makes with PE 0, such as a segment that is created (changes.c):
//     skerry_mppa_begin_waiting   is called before the condition is tested. Returns a number.
//     skerry_mppa_await_change    waits for a change after the call that has returned this number
//     skerry_mppa_notify_change   is called by a program that has made a change
// The kinds of changes, and the values that skerry-sim prints: the segment's ident, the PE.
enum skerry_mppa_change { SKERRY_MPPA_SEGMENT = 1, SKERRY_MPPA_PROGRAM, SKERRY_MPPA_NUMBER_OF_CLUSTERS };
SKERRY_PRIVATE uint64_t skerry_mppa_begin_waiting(enum skerry_mppa_change what, uint64_t value);
SKERRY_PRIVATE void skerry_mppa_await_change(uint64_t before);
SKERRY_PRIVATE void skerry_mppa_notify_change(void);
#endif

// Called by a thread that starts a program.
SKERRY_PRIVATE void skerry_mppa_note_starter(void);

// Surround a wait of the master: for the end of a program (its PE's bit), or for anything. Other programs' calls do nothing.
#define SKERRY_MPPA_ANYTHING (1u << 31)
SKERRY_PRIVATE void skerry_mppa_begin_master_wait(uint32_t target);
SKERRY_PRIVATE void skerry_mppa_end_master_wait(void);

// Returns the number of the DDR whose common memory has this offset, and stores in *left the bytes from there to the end of
// this memory. Returns -1 if none has it.
SKERRY_PRIVATE int skerry_mppa_ddr_of(uint64_t offset, size_t *left);

// Returns the number of the DDR whose default segment this is, or -1.
SKERRY_ALWAYS_INLINE int skerry_mppa_ddr_of_server(int server) {
    return server == MPPA_ASYNC_SERVER_DDR0 ? 0 : server == MPPA_ASYNC_SERVER_DDR1 ? 1 : -1;
}

// Lets other programs use the DDRs: publishes the common memories as segments, so that they can clone them (find them and
// make handles of them), or handles their messages. Called by the master. Returns false on failure.
SKERRY_PRIVATE bool skerry_mppa_publish_ddr(void);

#if !SKERRY_PRIVATE_MEMORY
// Opens DDR 1 for this program, also if there is no second I/O program. Returns false if that is not possible.
SKERRY_PRIVATE bool skerry_mppa_open_second_ddr(void);
#endif

// Returns the segment of aos.h for an access of `bytes` bytes at `offset` of an MPPA segment. Sets *at to the offset in
// the returned segment. Returns null if the arguments are wrong.
SKERRY_PRIVATE const aos_segment_t *skerry_mppa_window(const char *routine, const mppa_async_segment_t *segment,
                                                       off64_t offset, size_t bytes, uint64_t *at);

// Measures the frequency of the machine's clock, once in a job. The measurement takes some time, so the library calls
// this function before the program first asks for the time.
SKERRY_PRIVATE void skerry_mppa_begin_clock(void);

// Returns the event that an operation of aos.h must fill in. Returns null if the program passed no event. The event
// counts as happened until the operation changes it.
SKERRY_ALWAYS_INLINE aos_event_t *skerry_mppa_event(mppa_async_event_t *event) {
    if (!event) return 0;
    *event = (mppa_async_event_t){.queue = 0};
    return &event->happening;
}

// Marks the event as happened, if `event` is not null, and returns 0. Called for an operation that is complete already.
SKERRY_ALWAYS_INLINE int skerry_mppa_done(mppa_async_event_t *event) {
    if (event) *event = (mppa_async_event_t){.queue = 0};
    return 0;
}

SKERRY_ALWAYS_INLINE int skerry_mppa_result(int result) {
    return result == AOS_SUCCESS ? 0 : -1;
}

// Completes the dequeue that made `event`. If the queue has no message and `wait` is true, waits for a message. If the
// queue has no message and `wait` is false, returns AOS_ERROR_EMPTY. mppa_async_dequeue sets this pointer before it makes
// the first event, so a program that waits for events but uses no queue is linked without queues.
typedef int skerry_mppa_finish_dequeue(mppa_async_event_t *event, bool wait);
SKERRY_PRIVATE extern skerry_mppa_finish_dequeue *skerry_mppa_finish;

#endif
