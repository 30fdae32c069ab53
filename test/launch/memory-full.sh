#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Without memfd and with a full /dev/shm, the PE that found no room is named, and why.
. "$(dirname "$0")/common.sh"
build pe
small='mount -t tmpfs -o size=4m none /dev/shm'
unshare -rm sh -c "$small" 2>/dev/null || skip "this user may not have a /dev/shm of its own"

SKERRY_NO_MEMFD=1 run unshare -rm sh -c "$small && exec '$oshrun' -n 2 ./pe init @1 fill=64 sleep=30"
expect_code 135
expect_line "oshrun: PE 1 (process *) was killed by signal 7 (Bus error: address 0x*, PE 1's heap + 0x*, no space left in /dev/shm); job stopped"

# With memfd its size does not matter.
run unshare -rm sh -c "$small && exec '$oshrun' -n 2 ./pe init @1 fill=64 finalize"
expect_code 0
finish
