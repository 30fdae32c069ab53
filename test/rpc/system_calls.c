// SPDX-License-Identifier: BSD-3-Clause
// Calls that come while the program is in the kernel: read and write go on by themselves, a sleep says what is left, and no
// signal is left over for a program that replaces this one.
// pes: 2 4
#include "rpc.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

static long calls, stop;

static void count(long *at) {
    ++*localize(at);
}
RPC(count)

static long sleep_interrupted(void) {
    struct timespec left = {.tv_sec = 10};
    long interrupted = 0;
    while (calls < 20 && nanosleep(&left, &left) != 0) {
        REQUIRE(errno == EINTR, "nanosleep: errno %d", errno);
        interrupted++;
    }
    return interrupted;
}

static void read_slowly(void) {
    int ends[2];
    char byte = 0;
    REQUIRE(pipe(ends) == 0, "no pipe");
    if (fork() == 0) {
        struct timespec rest = {.tv_nsec = 200000000};
        nanosleep(&rest, NULL);
        _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
    }
    REQUIRE(read(ends[0], &byte, 1) == 1 && byte == 'x', "read was ended by a call: errno %d", errno);
    close(ends[0]);
    close(ends[1]);
}

int main(void) {
    test_begin();
    shmem_barrier_all();
    if (me == 0) {
        sleep_interrupted();
        read_slowly();
        for (int pe = 1; pe < pes; pe++) shmem_long_p(&stop, 1, pe);
    } else {
        while (!shmem_long_atomic_fetch(&stop, me)) {
            count_rpc(address_at(&calls, 0));
            test_sleep_ms(2);
        }
    }
    shmem_barrier_all();
    return test_end();
}
