#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PE that has ended in order while others wait for it ends the job with a line; one that others only come late to does not.
. "$(dirname "$0")/common.sh"
echo 'int main(void) { return 0; }' >empty.c
"$SKERRY_BIN/oshcc" empty.c -o empty 2>err || skip "no library here: $(head -1 err)"
"$SKERRY_BIN/oshcc" -O1 -g "$here/stranded.c" -o stranded || exit 1
sleep 100 &
sleeper=$!
call_is_seen() { grep -q '^[0-9]' "/proc/$sleeper/syscall"; }
wait_until call_is_seen 2>/dev/null
seen=$?
kill $sleeper
[ $seen -eq 0 ] || skip "system calls of other processes cannot be seen here"

# One of the lines on standard error matches a pattern of case.
expect_line_among() {
    while read -r line; do
        # shellcheck disable=SC2254
        case $line in $1) return ;; esac
    done <err
    fail "expected $1, got: $(cat err)"
}

# A PE that exits without a finalize while others wait, in a barrier or for a word.
check_exit() {
    run "$oshrun" -n 3 ../stranded exit "$1"
    expect_code 1 "exit $1"
    [ "$(head -1 err)" = "skerry: PE 1: exited without shmem_finalize; each initialisation needs one finalisation, and the library now makes the missing ones" ] ||
        fail "exit $1: $(cat err)"
    sed -i 1d err
    expect_line 'oshrun: PE 1 (process *) exited without shmem_finalize, and PEs 0, 2 still wait for it; job stopped'
}
check_barrier() { check_exit barrier; }
check_wait() { check_exit wait; }

check_finalize() {
    run "$oshrun" -n 3 ../stranded finalize barrier
    expect_code 1 "finalize barrier"
    expect_line 'oshrun: PE 1 (process *) has ended, and PEs 0, 2 still wait for it; job stopped'
}

# The barrier of PE 1's own end is the others' barrier, and nobody comes to that of theirs.
check_leave() {
    run "$oshrun" -n 3 ../stranded exit leave
    expect_code 1 "exit leave"
    expect_line_among 'oshrun: PE * (process *) *, and PE* still wait* for it; job stopped'
}

# PEs that come late, after they have slept or computed.
check_comes() {
    run "$oshrun" -n 3 ../stranded exit "$1"
    expect_code 0 "$1"
    expect_line "skerry: PE 1: exited without shmem_finalize; *"
}
check_late() { check_comes late; }
check_busy() { check_comes busy; }

together barrier wait finalize leave late
together busy # computes, so nothing runs beside it
finish
