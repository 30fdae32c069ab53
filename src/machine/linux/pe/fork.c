// SPDX-License-Identifier: BSD-3-Clause
// Makes fork work in a PE. The child must get its own copy of the static data, as after any fork, although that data is
// shared memory. So before the fork the forking thread copies the touched pages. The child moves this copy over its own
// data.
// * The child is no PE. It must not access other PEs' memory, and the launcher does not notice when it ends.
// * During the fork, the forking thread runs no handler of an interrupt, because fork holds all locks of malloc.
//   Suppose that a handler then waited for the network, and the network's helper thread waited for malloc. Both would
//   wait for ever.
// * posix_spawn, system and popen do not call the functions of this file, and need no copy. Their child changes no
//   static data before it executes another program.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

// Copy of the static data for the child. The thread that forks calls prepare and continue_parent, and in the child
// become_ordinary_process. The variable is thread-local, because thread-local variables are private memory, of which
// the child gets a copy. In a statically linked program a static variable would be part of the static data, which is
// shared memory. Parent and child would see each other's stores to it, until the child has moved its copy.
static _Thread_local void *snapshot = MAP_FAILED;

static size_t data_bytes(void) {
    return skerry_facts.data_end - skerry_facts.data_begin;
}

static void prepare(void) {
    skerry_defer_handlers();
    if (!data_bytes()) return;
    void *copy = mmap(NULL, data_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) skerry_refuse("fork: no memory to copy the static data: %s", strerror(errno));
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;
    for (size_t at = 0; at < data_bytes(); at += page) {
        const char *source = (const char *)skerry_facts.data_begin + at;
        // The memory file has no pages for data that was never touched. Such data is zero, like the new pages of the
        // copy.
        if (mincore((void *)(uintptr_t)source, page, &resident) == 0 && !(resident & 1)) continue;
        skerry_copy_bytes((char *)copy + at, source, page);
    }
    snapshot = copy;
}

static void continue_parent(void) {
    if (snapshot != MAP_FAILED) munmap(snapshot, data_bytes());
    snapshot = MAP_FAILED;
    skerry_run_deferred_handlers();
}

static void stop_progress(void) {
    skerry_progress_no_more();
    skerry_run_deferred_handlers(); // none is left
    skerry_forget_copy_thread();
    skerry_forget_neighbours();
}

static void become_ordinary_process(void) {
    if (snapshot == MAP_FAILED) {
        stop_progress();
        return;
    }
    // Until mremap has put the copy in place, the child possibly shares the library's static variables with its parent.
    // So this function stores to no static variable before mremap.
    void *copy = snapshot;
    mremap(copy, data_bytes(), data_bytes(), MREMAP_MAYMOVE | MREMAP_FIXED, (void *)skerry_facts.data_begin);
    snapshot = MAP_FAILED;
    skerry_job.launched = false;
    stop_progress();
}

void skerry_prepare_forks(void) {
    pthread_atfork(prepare, continue_parent, become_ordinary_process);
}
