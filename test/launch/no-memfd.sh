#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Without memfd the job's memory is a file without a name, and nothing of it is ever to be seen in a folder.
. "$(dirname "$0")/common.sh"
build pe

memory='readlink /proc/self/fd/60; '
run "$oshrun" -n 1 sh -c "$memory"
grep -q '^/memfd:skerry' out || fail "no memfd: $(cat out)"

mkdir temporary
# What a name would look like, were there one.
named="find /dev/shm /tmp temporary -maxdepth 1 -type f -name 'skerry-??????'"
before=$(eval "$named")
SKERRY_NO_MEMFD=1 TMPDIR=$work/temporary run "$oshrun" -n 2 sh -c "$memory $named"
expect_code 0 "a file instead"
[ "$(grep -c '(deleted)' out)" -eq 2 ] || fail "not unlinked: $(cat out)"
[ "$(grep -v '(deleted)' out)" = "$before" ] || fail "a file is to be seen: $(cat out)"
[ "$(eval "$named")" = "$before" ] || fail "a file is left"

SKERRY_NO_MEMFD=1 run "$oshrun" -n 2 ./pe init @1 exit=0 sleep=30
expect_code 1 "control blocks in a file"
expect_line 'oshrun: PE 1 (process *) exited without shmem_finalize; job stopped'

# A full /dev/shm is passed over. Needs the right to mount.
full='mount -t tmpfs -o size=64k none /dev/shm && head -c 65536 /dev/zero >/dev/shm/all 2>/dev/null;'
if unshare -m true 2>/dev/null; then
    SKERRY_NO_MEMFD=1 run unshare -m sh -c "$full exec '$oshrun' -n 2 ./pe init finalize"
    expect_code 0 "full /dev/shm"
fi

# One line for all PEs.
run sh -c "ulimit -v 1000000; exec '$oshrun' -n 40 ./pe init finalize"
expect_code 1 "address space"
expect_line 'oshrun: the limit on address space (ulimit -v) is *'

# A limit on file sizes counts for memory files too.
run sh -c "ulimit -f 1000; exec '$oshrun' -n 2 true"
expect_code 1 "file size limit"
expect_line 'oshrun: the file size limit (ulimit -f) is *'
finish
