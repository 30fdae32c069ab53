// SPDX-License-Identifier: BSD-3-Clause
// fork in a PE. The child must get copies of the static data, as after any fork, although the data is shared memory. So
// before the fork the forking thread copies the touched pages, and the child moves this copy over its own data. The
// child is no PE: it may read other PEs' memory only by accident, and the launcher does not learn of its end.
// posix_spawn, system and popen run no fork handler and touch no data between their fork and exec.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

// The thread that forks runs all three functions below. Its thread-local variables are private memory, which the child gets a
// copy of. The static data would not do: in a statically linked program it is shared memory that holds the library's
// variables too, so parent and child would see each other's stores until the child has moved its copy.
static _Thread_local void *snapshot = MAP_FAILED;

static size_t data_bytes(void) {
    return skerry_facts.data_end - skerry_facts.data_begin;
}

static void take_snapshot(void) {
    if (!data_bytes()) return;
    void *copy = mmap(NULL, data_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) skerry_refuse("fork: no memory to copy the static data: %s", strerror(errno));
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;
    for (size_t at = 0; at < data_bytes(); at += page) {
        const char *source = (const char *)skerry_facts.data_begin + at;
        // Pages that the file does not have are zero, as the copy's pages are.
        if (mincore((void *)(uintptr_t)source, page, &resident) == 0 && !(resident & 1)) continue;
        skerry_copy_bytes((char *)copy + at, source, page);
    }
    snapshot = copy;
}

static void drop_snapshot(void) {
    if (snapshot != MAP_FAILED) munmap(snapshot, data_bytes());
    snapshot = MAP_FAILED;
}

static void become_ordinary_process(void) {
    if (snapshot == MAP_FAILED) {
        skerry_progress_no_more();
        return;
    }
    // The library's variables may be the parent's until the copy is in place.
    void *copy = snapshot;
    mremap(copy, data_bytes(), data_bytes(), MREMAP_MAYMOVE | MREMAP_FIXED, (void *)skerry_facts.data_begin);
    snapshot = MAP_FAILED;
    skerry_job.launched = false;
    skerry_progress_no_more();
}

void skerry_prepare_forks(void) {
    pthread_atfork(take_snapshot, drop_snapshot, become_ordinary_process);
}
