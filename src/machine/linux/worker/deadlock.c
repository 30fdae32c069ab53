// SPDX-License-Identifier: BSD-3-Clause
// Whether all threads of the process wait for each other. A worker that sleeps notes since when it has been in this wait, and when it last
// looked in vain, which while this is watched is every tenth of a second. If there was a moment at which every thread of the process
// was in a wait, and each has looked in vain since, nobody is left who could end one of them: a wait that was ended would have been
// left, or its note would be of a later one. Threads that the runtime does not know might; with such there is only a warning.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define TOGETHER_NANOSECONDS 1000000000 // that moment lies so far back
#define LOOKED_NANOSECONDS 500000000    // and the last look in vain is not older than this
#define FRAMES_MAX 32
#define LINES_MAX 32

struct note {
    uint64_t began, looked; // written by its worker, read by whoever decides
    char text[256];         // where it waits; empty: for work, which is no reason to complain
};

static struct note *notes; // by the worker's number; NULL: nobody watches
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

// The routine that waits, and where the program called it, unless its call was the caller's last (then the compiler makes it a jump,
// and there is no trace of it). False: there is none, it waits for work.
static bool name_place(char *text, size_t bytes) {
    void *frames[FRAMES_MAX];
    Dl_info own, frame;
    const int count = backtrace(frames, FRAMES_MAX);
    if (!dladdr((void *)(uintptr_t)skerry_watch_for_deadlock, &own)) return false;
    int i = 0;
    while (i < count && (!dladdr(frames[i], &frame) || frame.dli_fbase != own.dli_fbase)) i++; // a tool's
    while (i < count && dladdr(frames[i], &frame) && frame.dli_fbase == own.dli_fbase && !frame.dli_sname) i++;
    if (i == count || frame.dli_fbase != own.dli_fbase || !frame.dli_sname) return false;
    const int length = snprintf(text, bytes, " waits in %s", frame.dli_sname);
    if (++i < count && length < (int)bytes && dladdr(frames[i], &frame) && frame.dli_fbase != own.dli_fbase)
        snprintf(text + length, bytes - (size_t)length, ", called from %s+0x%zx", frame.dli_fname,
                 (size_t)((char *)frames[i] - 1 - (char *)frame.dli_fbase)); // in the call, not behind it
    return true;
}

static void write_note(struct note *note, uint64_t began) {
    __atomic_store_n(&note->looked, 0, __ATOMIC_RELEASE);
    describe(note->text, sizeof note->text);
    const size_t length = strlen(note->text);
    if (!name_place(note->text + length, sizeof note->text - length)) note->text[0] = '\0';
    __atomic_store_n(&note->began, began, __ATOMIC_RELEASE);
}

// -- Whether all do ----------------------------------------------------------------------------------------------------

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
    const uint64_t looked = __atomic_load_n(&note->looked, __ATOMIC_ACQUIRE);
    return looked >= moment + TOGETHER_NANOSECONDS - LOOKED_NANOSECONDS &&
           __atomic_load_n(&note->began, __ATOMIC_ACQUIRE) <= moment;
}

static void tell(int workers, int unknown) {
    char line[512];
    for (int number = 0, lines = 0; number < workers && lines < LINES_MAX; number++) {
        if (!skerry_is_worker(number) || !notes[number].text[0]) continue;
        snprintf(line, sizeof line, "libgomp: %s", notes[number].text);
        skerry_warn(line);
        lines++;
    }
    if (!unknown)
        skerry_stop("libgomp: these threads wait, and no other thread is left that could end it (SKERRY_CHECK)");
    skerry_warn("libgomp: these threads wait, and only a thread that knows no OpenMP could end it (SKERRY_CHECK)");
}

void skerry_look_for_deadlock(const struct skerry_pause *pause) {
    if (skerry_worker_number < 0) return; // at a lock, before its first region: one of those that are not known
    struct note *own = &notes[skerry_worker_number];
    const uint64_t began = pause->began, now = skerry_nanoseconds();
    if (own->began != began) write_note(own, began);
    __atomic_store_n(&own->looked, now, __ATOMIC_RELEASE);
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
    tell(last + 1, threads - workers);
}
