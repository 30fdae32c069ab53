#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# With the library: each way for a PE to end is recognised, and the place is the user's own.
. "$(dirname "$0")/common.sh"
echo 'int main(void) { return 0; }' >empty.c
"$SKERRY_BIN/oshcc" empty.c -o empty 2>err || skip "no library here: $(head -1 err)"
"$SKERRY_BIN/oshcc" -O1 -g "$here/faults.c" -o faults || exit 1
[ -x "$SKERRY_BIN/skerry-where" ] || [ -x "$SKERRY_BIN/../libexec/skerry/skerry-where" ] || skip "no skerry-where"
line_of() { grep -n "$1" "$here/faults.c" | head -1 | cut -d: -f1; }

check() { # what, exit code, line
    run "$oshrun" -n 3 ./faults "$1"
    expect_code "$2" "$1"
    if [ -n "$3" ]; then expect_line "oshrun: PE 1 (process *) $3; job stopped"; else expect_silence; fi
}
check store 139 "was killed by signal 11 (Segmentation fault: address 0x10) in store at faults.c:$(line_of 'where = 1')"
check abort 134 "was killed by signal 6 (Aborted) in act at faults.c:$(line_of 'abort()')"
check put 139 "was killed by signal 11 (Segmentation fault: address 0x*, where the memory of PE 300 would be, but the job has PEs 0 to *) in shmem_long_p, called from put at faults.c:$(line_of 'shmem_long_p')"
check kill 137 "was killed by signal 9 (Killed)"
check exit 3 "exited with code 3"
check global 6 "called shmem_global_exit with status 6"
check programs 0 ""
expect_out "from a program"
check nothing 0 ""
finish
