#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PE that a signal kills is named with the signal, and the job's code is 128 plus its number.
. "$(dirname "$0")/common.sh"

for signal in 6 9 11 15; do
    run "$oshrun" -n 2 sh -c "if [ \$SKERRY_PE = 1 ]; then kill -$signal \$\$; else exec sleep 30; fi"
    expect_code $((128 + signal)) "signal $signal"
    expect_line "oshrun: PE 1 (process *) was killed by signal $signal (*); job stopped"
done

# A signal that another process sent has no fault's address, though siginfo_t has the sender's number in its place.
cat >self.c <<'END'
#include <shmem.h>
#include <signal.h>
#include <unistd.h>
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) kill(getpid(), SIGSEGV);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
END
"$SKERRY_BIN/oshcc" self.c -o self || exit 1
run "$oshrun" -n 2 ./self
expect_code 139 "sent SIGSEGV"
grep -q address err && fail "an address of a signal that was sent: $(cat err)"
finish
