#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The line about a PE that the kernel has killed because memory ran out says so, and the exit code is that of the signal;
# a SIGKILL from anybody else is not blamed on the kernel.
. "$(dirname "$0")/common.sh"
reason="by the kernel because memory ran out (OOM)"
megabytes=100

# Makes a control group whose memory is limited, below the one of this test or beside it; sets $group.
make_group() {
    own=$(sed -n 's/^[0-9]*:\([^:]*,\)\{0,1\}memory\(,[^:]*\)\{0,1\}:\(.*\)/\3/p' /proc/self/cgroup)
    for parent in "/sys/fs/cgroup/memory$own" /sys/fs/cgroup/memory; do
        [ -n "$own" ] && mkdir "$parent/skerry-test-$$" 2>/dev/null || continue
        group=$parent/skerry-test-$$
        echo "${megabytes}M" 2>/dev/null >"$group/memory.limit_in_bytes" &&
            { echo "${megabytes}M" >"$group/memory.memsw.limit_in_bytes"; true; } 2>/dev/null && return
        rmdir "$group"
    done
    own=$(sed -n 's/^0:://p' /proc/self/cgroup)
    for parent in "/sys/fs/cgroup$own" "/sys/fs/cgroup${own%/*}" /sys/fs/cgroup; do
        mkdir "$parent/skerry-test-$$" 2>/dev/null || continue
        group=$parent/skerry-test-$$
        echo "${megabytes}M" 2>/dev/null >"$group/memory.max" &&
            { echo 0 >"$group/memory.swap.max"; true; } 2>/dev/null && return
        rmdir "$group"
    done
    return 1
}
make_group || skip "no control group with a limit of memory can be made here"
trap 'rmdir "$group"; rm -rf "$work"' EXIT
sh -c 'echo $$ >"$0"' "$group/cgroup.procs" 2>/dev/null || skip "no process can be put into $group"

# in_group OPTIONS PROGRAM...: runs oshrun there.
in_group() { run sh -c 'echo $$ >"$0" && exec "$@"' "$group/cgroup.procs" "$oshrun" --bind none "$@"; }

cat >greedy.c <<'END'
#include <stdlib.h>
int main(int count, char **words) {
    size_t bytes = strtoul(words[count - 1], NULL, 10) << 20;
    volatile char *memory = malloc(bytes);
    for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
    return 0;
}
END
build greedy
build pe

in_group -n 2 ./greedy 10
expect_code 0 "memory that there is"
in_group -n 2 sh -c '[ "$SKERRY_PE" = 0 ] && exec sleep 60; kill -9 $$'
expect_code 137 "another's signal"
expect_line 'oshrun: PE 1 (process *) was killed by signal 9 (Killed); job stopped'

in_group -n 2 sh -c "[ \"\$SKERRY_PE\" = 0 ] && exec sleep 60; exec ./greedy $((2 * megabytes))"
expect_code 137 "a PE's own memory"
expect_line "oshrun: PE 1 (process *) was killed by signal 9 (Killed), $reason; job stopped"

in_group -n 2 ./pe init @1 "fill=$((2 * megabytes))" sleep=60
expect_code 137 "the symmetric heap"
expect_line "oshrun: PE 1 (process *) was killed by signal 9 (Killed), $reason; job stopped"

in_group -n 2 sh -c "[ \"\$SKERRY_PE\" = 0 ] && exec sleep 60; ./greedy $((2 * megabytes)); exit \$?"
expect_code 137 "a program of a script"
tail -1 err >last && mv last err # a shell may have a word of its own
expect_line "oshrun: PE 1 (process *) exited with code 137 after a process was killed, $reason; job stopped"
finish
