// SPDX-License-Identifier: BSD-3-Clause
// A PE for kills.py to kill: "victim KIND SECONDS" does one kind of work for that long, then ends in order.
#define _GNU_SOURCE
#include <aos.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PRIVATE_BYTES 20000
#define GRANDCHILDREN 8
#define GENERATIONS 20000

static int me, pes;
static double end;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void pause_for(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// Ends a PE whose call failed, without a line: the job shall name the PE that was killed, not this one.
static void require(bool condition) {
    if (!condition) _exit(3);
}

// Returns true, on all PEs in the same round, when PE 0's time is over.
static bool all_done(void) {
    static int mine, done;
    mine = me == 0 && now() >= end;
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &done, &mine, 1);
    return done != 0;
}

static void compute(void) {
    static long words[64];
    for (long i = 0; now() < end; i++) {
        shmem_long_atomic_inc(&words[i % 64], (me + 1) % pes);
        for (volatile int step = 0; step < 10000; step++) {
        }
    }
}

// Lets all PEs but 0 sleep in one wait.
static void wait_long(void) {
    static long word;
    if (me == 0) {
        pause_for(end - now());
        for (int pe = 0; pe < pes; pe++) shmem_long_p(&word, 1, pe);
        shmem_quiet();
    }
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
}

static void meet(void) {
    while (!all_done())
        for (int i = 0; i < 20; i++) shmem_barrier_all();
}

static void allocate(void) {
    for (size_t bytes = 1; !all_done(); bytes = bytes * 3 % 1000003) {
        char *block = shmem_malloc(bytes), *aligned = shmem_align(4096, bytes);
        require(block && aligned);
        memset(block, 1, bytes);
        shmem_putmem(aligned, block, bytes, (me + 1) % pes);
        shmem_free(aligned);
        shmem_free(block);
    }
}

// kills.py passes over lines that begin with "noise".
static void print(void) {
    char text[2000];
    memset(text, 'x', sizeof text);
    for (unsigned long i = 0; now() < end; i++) {
        printf("noise of PE %d: %.*s\n", me, (int)(i * 37 % sizeof text), text);
        if (i % 1000 == 0) fprintf(stderr, "noise of PE %d\n", me);
    }
}

// Forks a process that no signal to the group or the session reaches.
static bool is_grandchild(void) {
    const pid_t child = fork();
    if (child != 0) return false;
    setsid();
    if (fork() != 0) _exit(0);
    return true;
}

// Some grandchildren sleep; one is replaced by its own child again and again. All outlive the PE and would do so for long.
static void leave_children(void) {
    for (int i = 0; i < GRANDCHILDREN && now() < end; i++) {
        if (is_grandchild()) {
            pause_for(100);
            _exit(0);
        }
        pause_for(0.002);
    }
    if (is_grandchild()) {
        for (int i = 0; i < GENERATIONS; i++) {
            pause_for(0.005);
            if (fork() != 0) _exit(0);
        }
        _exit(0);
    }
    meet();
}

static long count_call(long *at, long value) {
    return __atomic_add_fetch(localize(at), value, __ATOMIC_RELAXED);
}
RPC_ASYNC(count_call, (long *at, long value), (at, value))

static void call(void) {
    static long calls;
    for (int i = 0; now() < end; i++) {
        long *at = shmem_ptr(&calls, (me + i) % pes), result;
        require(count_call_rpc(at, 1) > 0 && shmemx_rpc_status() >= 0);
        count_call_post(at, 1);
        shmemx_rpc_event_t event = count_call_async(at, 1);
        require(shmemx_rpc_wait(&event, &result) >= 0); // served, or run by the caller
    }
}

// Memory that only its owner has, and a queue of each PE, which the others fill.
static void use_segments(void) {
    static char local[PRIVATE_BYTES];
    char message[64] = "";
    require(aos_init(0) == AOS_SUCCESS);
    char *memory = calloc(1, PRIVATE_BYTES);
    aos_segment_t own, right;
    aos_queue_t queue, right_queue;
    const unsigned next = (unsigned)((me + 1) % pes);
    require(memory && aos_segment_create(&own, 0x10000u + (unsigned)me, memory, PRIVATE_BYTES, NULL) == AOS_SUCCESS);
    require(aos_queue_create(&queue, 0x20000u + (unsigned)me, sizeof message, 4, NULL, NULL) == AOS_SUCCESS);
    if (pes > 1) require(aos_queue_clone(&right_queue, 0x20000u + next, 0) == AOS_SUCCESS);
    else right_queue = queue;
    if (pes > 1) require(aos_segment_clone(&right, 0x10000u + next, 0) == AOS_SUCCESS);
    else right = own;
    for (size_t bytes = 1; !all_done(); bytes = bytes * 5 % PRIVATE_BYTES + 1) {
        int64_t old;
        require(aos_put(local, &right, 0, bytes, NULL) == AOS_SUCCESS);
        require(aos_get(local, &right, 0, bytes, NULL) == AOS_SUCCESS);
        require(aos_fetchadd(&right, 0, 1, &old, NULL) == AOS_SUCCESS);
        require(aos_enqueue(&right_queue, message, sizeof message) == AOS_SUCCESS);
        require(aos_dequeue(&queue, message, sizeof message, NULL) == AOS_SUCCESS);
    }
    shmem_barrier_all();
    require(aos_finalize() == AOS_SUCCESS);
}

int main(int count, char **words) {
    static const struct {
        const char *name;
        void (*work)(void);
    } kinds[] = {{"compute", compute}, {"wait", wait_long},          {"barrier", meet}, {"allocate", allocate},
                 {"print", print},     {"children", leave_children}, {"rpc", call},     {"aos", use_segments}};
    if (count != 3) return 99;
    end = now() + atof(words[2]);
    if (strcmp(words[1], "plain") == 0) { // no PE calls the library
        pause_for(end - now());
        return 0;
    }
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].name, words[1]) != 0) kind++;
    if (kind == sizeof kinds / sizeof *kinds) return 99;
    kinds[kind].work();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
