// SPDX-License-Identifier: BSD-3-Clause
// Requests the services of the host (../chip/chip.h) that every program needs: error output, the end of this program,
// and the end of the job. Also reads the clock.
#include "host.h"
#include "internal.h"

int skerry_host_write(int file, const void *bytes, size_t count) {
    return (int)skerry_host_request(SKERRY_HOST_WRITE, file, (long)bytes, (long)count);
}

void skerry_host_exit(int status) {
    for (;;) skerry_host_request(SKERRY_HOST_EXIT, status, 0, 0);
}

void skerry_host_end_job(int status) {
    for (;;) skerry_host_request(SKERRY_HOST_END_JOB, status, 0, 0);
}

uint64_t skerry_ticks(void) {
    uint32_t low, high, again;
    do __asm__ volatile("rdcycleh %0\n\trdcycle %1\n\trdcycleh %2" : "=r"(high), "=r"(low), "=r"(again));
    while (high != again);
    return (uint64_t)high << 32 | low;
}

uint64_t skerry_ticks_per_second(void) {
    return skerry_job.clock;
}
