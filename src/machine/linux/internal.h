// SPDX-License-Identifier: BSD-3-Clause
// What the files of this folder share with one another and with nobody else.
#ifndef SKERRY_MACHINE_LINUX_INTERNAL_H
#define SKERRY_MACHINE_LINUX_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "../machine.h"
#include "job.h"
#include "tuning.h"

#define SKERRY_PRIVATE_DATA extern __attribute__((visibility("hidden")))

// The job as the launcher described it.
struct skerry_job {
    int fd;
    bool launched; // by oshrun: somebody reads our control block
    bool attached; // our control block is mapped
    bool huge;
    bool membarrier;
    uint32_t sharers; // PEs that share a processor with this one
    bool programs;    // several, each an image of its own (programs.c)
    long id;
    uint64_t inode; // of the memory file
};
SKERRY_PRIVATE_DATA struct skerry_job skerry_job;

SKERRY_ALWAYS_INLINE struct skerry_control *skerry_control_of(int pe) {
    return (struct skerry_control *)(skerry_partition(pe) | SKERRY_CONTROL_OFFSET);
}

// Sees to it that a program that ends with 0 and has not finalized is finished (end.c).
SKERRY_PRIVATE void skerry_watch_end(void);

// Writes "skerry: PE n: text", printf-like.
SKERRY_PRIVATE void skerry_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same for failures of set-up; ends the process.
_Noreturn SKERRY_PRIVATE void skerry_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The whole number in a variable, `otherwise` if it is not set; refuses anything else.
SKERRY_PRIVATE long skerry_whole_number(const char *name, long otherwise);
// Parses SHMEM_SYMMETRIC_SIZE and its older spelling; the default when neither is set.
SKERRY_PRIVATE uint64_t skerry_heap_bytes_wanted(void);
// SHMEM_VERSION, SHMEM_INFO, SHMEM_DEBUG, on PE 0.
SKERRY_PRIVATE void skerry_print_environment(void);

// Static data of the executable: [begin, end) at page borders, and how much of it came from the file.
struct skerry_data {
    uintptr_t begin;
    uintptr_t end;
    uintptr_t file_end;
};
SKERRY_PRIVATE struct skerry_data skerry_find_data(void);
SKERRY_PRIVATE void skerry_move_data(const struct skerry_data *data, int fd, uint64_t file_offset);

// Runs the handlers that are due; true if there were some.
SKERRY_PRIVATE bool skerry_progress(void);
// A thread of this PE looks for requests from now on, until skerry_stop_polling_requests.
SKERRY_PRIVATE void skerry_begin_polling_requests(void);
SKERRY_PRIVATE void skerry_stop_polling_requests(void);
// In a process that has been forked off a PE.
SKERRY_PRIVATE void skerry_progress_no_more(void);
// Makes the memory of a PE that is to come reachable, but for its static data.
SKERRY_PRIVATE void skerry_map_partition(int pe);
// Maps the memory that all programs of a job have at one place.
SKERRY_PRIVATE void skerry_map_common(void);
// This process was started by another program of the job, `parent`, and ends with it.
SKERRY_PRIVATE void skerry_program_begin(int parent);

// Chooses how this PE copies and so on. `measured`: the values that the launcher handed over; NULL: none.
SKERRY_PRIVATE void skerry_choose_tuning(const char *measured);
// Fills in what is most likely the best on this processor.
SKERRY_PRIVATE void skerry_guess_tuning(struct skerry_tuning *tuning);
// Makes waits pause so many times between two polls, at most 64.
SKERRY_PRIVATE void skerry_use_poll_pauses(uint32_t pauses);
SKERRY_PRIVATE_DATA struct skerry_tuning skerry_tuning; // constant once the program's code runs
SKERRY_PRIVATE void skerry_catch_crashes(void);
SKERRY_PRIVATE void skerry_prepare_forks(void);

#endif
