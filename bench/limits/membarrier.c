// SPDX-License-Identifier: BSD-3-Clause
// Measures the system call membarrier, which a thread can call before it sleeps. The call makes every processor that
// runs another registered process execute a full fence. A writer then needs no fence of its own between its store and
// its check whether a waiter sleeps. A thread that goes to sleep in this way needs at least the time of the call. The
// call is measured while no other process runs (membarrier_alone). The call is also measured while another process runs
// on another processor, which the call interrupts (membarrier).
#include "limits.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>

static void barrier(const struct limit *limit, long count) {
    (void)limit;
    for (long i = 0; i < count; i++)
        if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) != 0) limit_fail("membarrier");
}

// Registers this process, because the system call interrupts registered processes only.
static void take_part(void) {
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) != 0) limit_fail("membarrier");
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 200);
    if (limit_processors() < 2) {
        fprintf(stderr, "%s: needs two processors\n", arguments[0]);
        return 3;
    }
    take_part();
    limit_pin(0);
    static struct limit alone = {.name = "membarrier_alone", .parameter = 1, .loop = barrier},
                        interrupting = {.name = "membarrier", .parameter = 2, .loop = barrier};
    limit_report(&alone, 1, batches, NULL);
    pid_t other = fork();
    if (other < 0) limit_fail("fork");
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        take_part();
        limit_pin(1);
        for (;;) limit_relax();
    }
    limit_report(&interrupting, 1, batches, NULL);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    return 0;
}
