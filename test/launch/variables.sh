#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Environment variables: 0 means off for each yes/no variable, an empty value counts as not set, a wrong value ends the
# job with a message that begins with NAME=VALUE, and a misspelt name gives a warning.
. "$(dirname "$0")/common.sh"
cat >program.c <<'END'
#include <shmem.h>
#include <shmemx.h>

static int word;
static int load(int *at) {
    return *at;
}
RPC(load)

int main(void) {
    shmem_init();
    load_rpc(shmem_ptr(&word, shmem_n_pes() - 1)); // some variables are read only in programs with calls
    shmem_finalize();
    return 0;
}
END
"$SKERRY_BIN/oshcc" -O1 program.c -o program || fail "oshcc"

rule='must be 0, no, off or false, or 1, yes, on or true'
for name in SKERRY_HUGE_PAGES SKERRY_NO_MEMFD SKERRY_NO_MEMBARRIER; do
    for value in '' ' ' 0 no Off ' FALSE ' 1 yes ON true; do
        run env "$name=$value" "$oshrun" -n 1 ./program
        expect_code 0 "$name=$value"
        expect_silence
        run env "$name=$value" ./program
        expect_code 0 "$name=$value without oshrun"
        expect_silence
    done
    run env "$name=many" ./program
    expect_code 1 "$name=many without oshrun"
    expect_line "skerry: PE 0: $name=many: $rule"
done
for name in SKERRY_HUGE_PAGES SKERRY_NO_MEMFD; do
    run env "$name=many" "$oshrun" -n 1 ./program
    expect_code 2 "$name=many"
    expect_line "oshrun: $name=many: $rule"
done

# sees COUNT VARIABLE=VALUE PATTERN COMMAND...: the command's output has COUNT lines with the pattern.
sees() {
    wanted=$1 setting=$2 pattern=$3
    shift 3
    run env "$setting" "$@"
    [ "$(cat out err | grep -c -e "$pattern")" -eq "$wanted" ] || fail "$setting: $(cat out err)"
}
for value in 0 no ''; do
    sees 1 "SKERRY_NO_MEMFD=$value" memfd: "$oshrun" -n 1 sh -c 'ls -l /proc/self/fd'
    # The kernel need not have membarrier.
    SHMEM_DEBUG=1 "$oshrun" -n 1 ./program 2>debug
    sees "$(grep -c 'by membarrier' debug)" "SKERRY_NO_MEMBARRIER=$value" 'by membarrier' env SHMEM_DEBUG=1 "$oshrun" -n 1 ./program
done
sees 0 SKERRY_NO_MEMFD=1 memfd: "$oshrun" -n 1 sh -c 'ls -l /proc/self/fd'
sees 1 SKERRY_NO_MEMBARRIER=1 'by naps' env SHMEM_DEBUG=1 "$oshrun" -n 1 ./program

# Empty counts as not set.
for name in SHMEM_SYMMETRIC_SIZE SHMEM_VERSION SHMEM_INFO SHMEM_DEBUG SKERRY_CHECK SKERRY_RPC_DEPTH SKERRY_ATTENTION \
    SKERRY_TUNING SKERRY_COPY SKERRY_NODES SKERRY_PMIX SKERRY_NETWORK_PUT SKERRY_ATOMICS; do
    run env "$name=" "$oshrun" -n 2 ./program
    expect_code 0 "$name="
    expect_silence
    expect_out ""
done
run env SHMEM_SYMMETRIC_SIZE= ./program
expect_code 0 "SHMEM_SYMMETRIC_SIZE= without oshrun"

# A command in SKERRY_SSH that cannot be run.
run env "SKERRY_SSH=nosuch -v" "$oshrun" --hosts host-a:1,host-b:1 ./program
expect_code 127 SKERRY_SSH
expect_line 'oshrun: SKERRY_SSH=nosuch -v: cannot start nosuch: No such file or directory'
run env SKERRY_SSH=false "$oshrun" --hosts host-a:1,host-b:1 ./program
expect_code 1 SKERRY_SSH=false
expect_line 'oshrun: node host-[ab]: skerry-node did not start (SKERRY_SSH=false)*'

# Wrong values.
for setting in SHMEM_SYMMETRIC_SIZE=x SKERRY_RPC_DEPTH=x SKERRY_RPC_DEPTH=9999 SKERRY_ATTENTION=x SKERRY_TUNING=x SKERRY_COPY=x SKERRY_CHECK=x; do
    run env "$setting" ./program
    expect_code 1 "$setting"
    expect_line "skerry: PE 0: $setting: *"
done
run env SKERRY_NODES=x "$oshrun" -n 1 ./program
expect_line "oshrun: SKERRY_NODES=x: *"

# Misspelt names. A name that is like none is somebody else's.
misspelt() {
    run env "$1=1" "$oshrun" -n 3 ./program
    expect_code 0 "$1"
    expect_line "oshrun: $1: there is no such variable; is $2 meant? *"
}
misspelt SKERRY_ATENTION SKERRY_ATTENTION
misspelt SKERRY_RCP_DEPTH SKERRY_RPC_DEPTH
misspelt SKERRY_HUGEPAGES SKERRY_HUGE_PAGES
misspelt SKERRY_DEBUG SHMEM_DEBUG
misspelt SHMEM_SYMETRIC_SIZE SHMEM_SYMMETRIC_SIZE
misspelt SKERRY_CHEKC SKERRY_CHECK
for name in SKERRY_HOME SKERRY_ROOT SKERRY_BIN SHMEM_DIR SHMEM_FFT_THREADS SKERRY SKERRY_ SKERRY_NO_REACH SMA_SYMMETRIC_SIZE \
    SKERRY_AN_INSTALLATION_OF_A_NAME_THAT_IS_VERY_LONG; do
    run env "$name=" "$oshrun" -n 2 ./program
    expect_code 0 "$name"
    expect_silence
done

# SHMEM_INFO lists all.
run env SHMEM_INFO=1 "$oshrun" -n 2 ./program
for name in SHMEM_SYMMETRIC_SIZE SKERRY_NO_MEMFD SKERRY_CC SKERRY_OMP_TASKS SKERRY_NETWORK_PUT; do
    [ "$(grep -c "^$name=" out)" -eq 1 ] || fail "SHMEM_INFO without $name: $(cat out)"
done
finish
