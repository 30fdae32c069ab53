#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that ends with 0 and has not finalized is finished by the library, which says so once; refused when checking.
. "$(dirname "$0")/common.sh"
echo 'int main(void) { return 0; }' >empty.c
"$SKERRY_BIN/oshcc" empty.c -o empty 2>err || skip "no library here: $(head -1 err)"
"$SKERRY_BIN/oshcc" -O1 -g "$here/not-finalized.c" -o program -pthread || exit 1
"$SKERRY_BIN/oshcc" --check -O1 -g "$here/not-finalized.c" -o checking -pthread || exit 1
made_up='each initialisation needs one finalisation, and the library now makes the missing ones'

accept() { # line, or none; arguments
    line=$1
    shift
    run "$oshrun" -n 3 ./program "$@"
    expect_code 0 "$*"
    if [ -n "$line" ]; then expect_line "skerry: PE $line; $made_up"; else expect_silence; fi
    [ "$(sort out | tr '\n' ' ')" = "PE 0 PE 1 PE 2 " ] || fail "$*: output \"$(cat out)\""
}
accept '?: exited without shmem_finalize' s return
accept '1: exited without shmem_finalize' s exit
accept '1: exited without shmem_finalize' s exit256
accept '?: exited without aos_finalize' a return
accept '1: exited without aos_finalize' a exit256
accept '1: exited without aos_finalize' a exit
accept '?: exited without shmem_finalize and without aos_finalize' sa return
accept '?: exited with 1 shmem_finalize for 2 shmem_init' ss return
accept '1: exited without shmem_finalize' s handler
accept '' s late
accept '' s late all
accept '' s fork all

refuse() { # code, line; program and arguments
    wanted=$1
    line=$2
    shift 2
    run "$oshrun" -n 3 "$@"
    expect_code "$wanted" "$*"
    expect_line "$line"
}
refuse 1 'oshrun: PE 1 (process *) exited without shmem_finalize; job stopped' ./program s _exit
refuse 1 'oshrun: PE 1 (process *) exited with 1 shmem_finalize for 2 shmem_init; job stopped' ./program ss _exit
refuse 1 'oshrun: PE 1 (process *) exited without aos_finalize; job stopped' ./program a _exit
refuse 1 'oshrun: PE 1 (process *) exited without shmem_finalize; job stopped' ./program s thread
refuse 3 'oshrun: PE ? (process *) exited with code 3; job stopped' ./program s code all
refuse 1 'skerry: PE ?: exited without shmem_finalize; each initialisation needs one finalisation' ./checking s return
refuse 1 'skerry: PE 1: exited without shmem_finalize; each initialisation needs one finalisation' ./checking s exit
refuse 1 'skerry: PE 1: exited without shmem_finalize; each initialisation needs one finalisation' ./checking s exit256
refuse 1 'skerry: PE ?: exited with 1 shmem_finalize for 2 shmem_init; each initialisation needs one finalisation' ./checking ss return
refuse 1 'skerry: PE ?: exited without aos_finalize; each initialisation needs one finalisation' env SKERRY_CHECK=1 ./program a return

# Without a launcher too.
run ./program s return
expect_code 0 alone
expect_line "skerry: PE 0: exited without shmem_finalize; $made_up"
finish
