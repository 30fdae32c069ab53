// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions by which workers use their environment: environment variables, messages, the clock, and the
// waits of POSIX, such as sleep.
#include "worker_world.h"

#include "host.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *skerry_environment(const char *name) {
    return getenv(name);
}

bool skerry_has_environment(void) {
    return environ && environ[0];
}

void skerry_warn(const char *text) {
    char line[1024];
    size_t bytes = strlen(text);
    if (bytes > sizeof line - 1) bytes = sizeof line - 1;
    memcpy(line, text, bytes);
    line[bytes] = '\n';
    skerry_host_request(SKERRY_HOST_WRITE, STDERR_FILENO, (long)line, (long)bytes + 1);
}

void skerry_stop(const char *text) {
    skerry_warn(text);
    skerry_end_job(EXIT_FAILURE);
}

// -- Time --------------------------------------------------------------------------------------------------------------

#define READ_COUNTER(name, result)                                                                                     \
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, " name "\n.option pop" : "=r"(result))

// Returns the number of cycles since the start. All cores count the same cycles.
uint64_t skerry_ticks(void) {
    uint32_t high, low, again;
    do {
        READ_COUNTER("cycleh", high);
        READ_COUNTER("cycle", low);
        READ_COUNTER("cycleh", again);
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

#define NANOSECONDS 1000000000u
#define FRACTION_BITS 24

// Returns the time in nanoseconds. Multiplies by the length of a cycle, because a division of 64 bits takes hundreds of
// cycles.
uint64_t skerry_nanoseconds(void) {
    static uint32_t nanoseconds_of_cycle; // * 2^FRACTION_BITS
    if (nanoseconds_of_cycle == 0)
        nanoseconds_of_cycle = (uint32_t)(((uint64_t)NANOSECONDS << FRACTION_BITS) / skerry_job.cycles_per_second);
    const uint64_t cycles = skerry_ticks();
    return (((cycles >> 32) * nanoseconds_of_cycle) << (32 - FRACTION_BITS)) +
           (((uint64_t)(uint32_t)cycles * nanoseconds_of_cycle) >> FRACTION_BITS);
}

double skerry_seconds(void) {
    return (double)skerry_ticks() / skerry_job.cycles_per_second;
}

double skerry_seconds_tick(void) {
    return 1.0 / skerry_job.cycles_per_second;
}

#if SKERRY_NEAR_MEMORY
// -- Memory ------------------------------------------------------------------------------------------------------------

static bool (*free_some_near)(int worker);
static SKERRY_PER_THREAD bool is_freeing; // this worker calls that function

void skerry_memory_on_shortage(bool (*free_some)(int worker)) {
    free_some_near = free_some;
}

bool skerry_free_some(int worker) {
    if (!free_some_near || is_freeing) return false;
    is_freeing = true;
    const bool has_freed = free_some_near(worker);
    is_freeing = false;
    return has_freed;
}

#endif
// -- Names and processes -----------------------------------------------------------------------------------------------

int64_t skerry_process_number(void) {
    return getpid();
}

int64_t skerry_system_thread(void) {
    return skerry_my_pe();
}

void skerry_at_fork(void (*function)(void)) {
    (void)function; // there are no other processes
}

void skerry_wait_policy(int policy) {
    (void)policy; // not used: SKERRY_SPIN_STEPS determines how long a worker that is alone on its core polls
}

// Does nothing. The simulator itself detects that all cores wait for each other, and reports where each core waits.
void skerry_watch_for_deadlock(skerry_describe *describe) {
    (void)describe;
}

// -- What POSIX programs call; waits give the core to its other workers ------------------------------------------------

// Knows the number of cores only. std::thread::hardware_concurrency asks for it.
long sysconf(int name) {
    if (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN) return skerry_processors();
    errno = EINVAL;
    return -1;
}

// Waits for a signal. There are none, so it does not return.
int pause(void) {
    for (;;) skerry_yield();
}

int sched_yield(void) {
    skerry_yield();
    return 0;
}

static void wait_nanoseconds(uint64_t nanoseconds) {
    const uint64_t end = skerry_nanoseconds() + nanoseconds;
    while (skerry_nanoseconds() < end) skerry_yield();
}

int usleep(useconds_t microseconds) {
    wait_nanoseconds(UINT64_C(1000) * microseconds);
    return 0;
}

unsigned sleep(unsigned seconds) {
    wait_nanoseconds((uint64_t)NANOSECONDS * seconds);
    return 0;
}
