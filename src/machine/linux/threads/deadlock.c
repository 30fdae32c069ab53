// SPDX-License-Identifier: BSD-3-Clause
// Finds out whether all threads of the process wait for each other. Before each sleep a worker (a thread of the OpenMP
// runtime) writes a note with two times: when its wait began, and when it last polled without success. While this check
// is on, a sleep lasts at most a tenth of a second, so the last poll is recent.
//
// How the notes prove a deadlock. Suppose that at some moment every thread of the process was in a wait. Suppose also
// that each thread polled without success in the same wait later.
// * No thread ended another thread's wait after that moment, because all threads were waiting.
// * No thread had ended a wait before that moment, because the later polls failed.
// * A thread that is not a worker writes no notes, and could end a wait. If the process has such threads, this file
//   only warns.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define TOGETHER_NANOSECONDS 1000000000 // nanoseconds for which all threads must have been waiting
#define POLLED_NANOSECONDS 500000000    // greatest age of a thread's last poll, in nanoseconds
#define FRAMES_MAX 32
#define LINES_MAX 32

struct note {
    uint64_t began, polled; // times of the clock in nanoseconds; written by this worker, read by all workers
    char text[256];         // name of the place of the wait; empty if the worker waits for work, which is no deadlock
};

static struct note *notes; // index: the worker's number; NULL: deadlock detection is off
static skerry_describe *describe;
static bool has_warned;

void skerry_watch_for_deadlock(skerry_describe *function) {
    describe = function;
    notes = calloc(SKERRY_WORKERS_MAX, sizeof *notes);
}

bool skerry_is_deadlock_watched(void) {
    return notes != NULL;
}

// -- Where a thread waits ----------------------------------------------------------------------------------------------

// Writes the name of the routine that waits, and the place where the program called this routine, to `text`. Returns
// false if the stack contains no routine of the library. In this case the worker waits for work. Leaves out the place
// if the call was the last action of its caller. The compiler turns such a call into a jump, so the stack does not show
// the caller.
static bool name_place(char *text, size_t bytes) {
    void *frames[FRAMES_MAX];
    Dl_info own, frame;
    const int count = backtrace(frames, FRAMES_MAX);
    if (!dladdr((void *)(uintptr_t)skerry_watch_for_deadlock, &own)) return false;
    int i = 0;
    while (i < count && (!dladdr(frames[i], &frame) || frame.dli_fbase != own.dli_fbase)) i++; // skips frames of a tool
    while (i < count && dladdr(frames[i], &frame) && frame.dli_fbase == own.dli_fbase && !frame.dli_sname) i++;
    if (i == count || frame.dli_fbase != own.dli_fbase || !frame.dli_sname) return false;
    const int length = snprintf(text, bytes, " waits in %s", frame.dli_sname);
    if (++i < count && length < (int)bytes && dladdr(frames[i], &frame) && frame.dli_fbase != own.dli_fbase)
        snprintf(text + length, bytes - (size_t)length, ", called from %s+0x%zx", frame.dli_fname,
                 (size_t)((char *)frames[i] - 1 - (char *)frame.dli_fbase)); // one less: inside the call
    return true;
}

static void write_note(struct note *note, uint64_t began) {
    __atomic_store_n(&note->polled, 0, __ATOMIC_RELEASE);
    describe(note->text, sizeof note->text);
    const size_t length = strlen(note->text);
    if (!name_place(note->text + length, sizeof note->text - length)) note->text[0] = '\0';
    __atomic_store_n(&note->began, began, __ATOMIC_RELEASE);
}

// -- Finding out whether all threads wait -----------------------------------------------------------------------------

static int threads_of_process(void) {
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    if (!folder) return 0;
    for (const struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static bool waits_since(int number, uint64_t moment) {
    const struct note *note = &notes[number];
    const uint64_t polled = __atomic_load_n(&note->polled, __ATOMIC_ACQUIRE);
    return polled >= moment + TOGETHER_NANOSECONDS - POLLED_NANOSECONDS &&
           __atomic_load_n(&note->began, __ATOMIC_ACQUIRE) <= moment;
}

static void report(int workers, int unknown) {
    char line[512];
    for (int number = 0, lines = 0; number < workers && lines < LINES_MAX; number++) {
        if (!skerry_is_worker(number) || !notes[number].text[0]) continue;
        snprintf(line, sizeof line, "libgomp: %s", notes[number].text);
        skerry_warn(line);
        lines++;
    }
    if (!unknown)
        skerry_stop("libgomp: deadlock: these threads wait, and no other thread is left that could wake them (found by "
                    "SKERRY_CHECK)");
    skerry_warn("libgomp: these threads wait, and only a thread that does not use OpenMP could wake them (found by "
                "SKERRY_CHECK)");
}

void skerry_look_for_deadlock(const struct skerry_pause *pause) {
    if (skerry_worker_number < 0) return; // the thread waits for a lock and is not yet a worker
    struct note *own = &notes[skerry_worker_number];
    const uint64_t began = pause->began, now = skerry_nanoseconds();
    if (own->began != began) write_note(own, began);
    __atomic_store_n(&own->polled, now, __ATOMIC_RELEASE);
    const uint64_t moment = now - TOGETHER_NANOSECONDS;
    if (began > moment || !own->text[0]) return;
    int workers = 0, waiting = 0, last = 0;
    for (int number = 0; number < SKERRY_WORKERS_MAX; number++)
        if (skerry_is_worker(number)) {
            workers++;
            last = number;
            waiting += waits_since(number, moment);
        }
    if (waiting < workers) return;
    const int threads = threads_of_process();
    if (!threads || __atomic_exchange_n(&has_warned, true, __ATOMIC_ACQ_REL)) return;
    report(last + 1, threads - workers);
}
