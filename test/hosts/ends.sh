#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If a PE fails, the job ends on all nodes, with one line that names the node and the exit code of a job on one node.
# waits: yes
. "$(dirname "$0")/common.sh"
build_with_library failing

# The PEs of node n4 do not call shmem_init. This job runs beside the rest, because it takes 60 s.
cat >late.sh <<'END'
[ "$(hostname)" != n4 ] || exec sleep 100
exec "$@"
END
mkdir late
(cd late && exec timeout -k 5 100 "$oshrun" --hosts n1:1,n4:2 sh "$work/late.sh" "$work/failing" none 0 >out 2>err </dev/null) &
late=$!
late_begun=$(date +%s)

expect_end() { # WAY CODE PATTERN
    run "$oshrun" --hosts n1:2,n2:2,n3:1 ./failing "$1" 3
    expect_code "$2" "$1"
    expect_line "oshrun on n2: PE 3 (process *) $3; job stopped"
}
expect_end crash 139 'was killed by signal 11 (Segmentation fault*failing.c*'
expect_end exit 7 'exited with code 7'
expect_end global_exit 9 'called shmem_global_exit with status 9'
expect_end killed 137 'was killed by signal 9 (Killed)'
expect_end unfinished 1 'exited without shmem_finalize'
expect_end wrong_pe 139 'was killed by signal 11*where the memory of PE 99 would be*failing.c*'
expect_end uninitialized 1 'exited without shmem_init while other PEs wait for it'

# All PEs of a node end without shmem_init. The others must not wait until a time limit.
expect_node_end() { # WAY CODE PATTERN
    begun=$(date +%s)
    run "$oshrun" --hosts n1:2,n2:2,n3:1 ./failing "$1" 2
    expect_code "$2" "$1"
    expect_line "oshrun on n2: PE [23] (process *) $3; job stopped"
    [ $(($(date +%s) - begun)) -lt 40 ] || fail "$1: the job has taken $(($(date +%s) - begun)) seconds"
}
expect_node_end node 1 'exited without shmem_init while other PEs wait for it'
expect_node_end node_late 1 'exited without shmem_init while other PEs wait for it'
expect_node_end node_exit 3 'exited with code 3'

# A PE that is killed at a certain moment of its start leaves an empty file of UCX. oshrun removes it, but no file of
# another job: a file that has content, or is open.
sh "$lab" on n2 sh -c 'cd /dev/shm; touch -d "1 minute ago" ucx_shm_posix_open; echo content >ucx_shm_posix_full
    exec sleep 100 >>ucx_shm_posix_open' &
other=$!
is_there() { sh "$lab" on n2 test -s /dev/shm/ucx_shm_posix_full; }
wait_until is_there || fail "no file on node n2"
cat >leave.sh <<'END'
[ "$SKERRY_PE" != 1 ] || { : >/dev/shm/ucx_shm_posix_left; kill -9 $$; }
sleep 100
END
run "$oshrun" --hosts n1:1,n2:1 sh leave.sh
expect_code 137 "UCX's files"
left_files=$(sh "$lab" on n2 sh -c 'cd /dev/shm; echo *')
[ "$left_files" = "ucx_shm_posix_full ucx_shm_posix_open" ] || fail "files: $left_files"
kill $other
wait "$late"
code=$?
seconds=$(($(date +%s) - late_begun))
mv late/err late/out .
expect_code 1 late
expect_line 'oshrun: node n1 (PE 0) has waited 60 s in shmem_init for node n4 (PEs 1-2), where a PE has not called it; job stopped'
[ "$seconds" -lt 80 ] || fail "late: the job has taken $seconds seconds"
expect_nothing_left
finish
