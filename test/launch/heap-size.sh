#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Heap sizes are read as the specification says and come out in whole pages of 2 MB.
. "$(dirname "$0")/common.sh"
unset SHMEM_SYMMETRIC_SIZE SMA_SYMMETRIC_SIZE
heap='echo "$SKERRY_JOB" | sed "s/.*heap=\([0-9]*\).*/\1/"'
MB=1048576

accept() { # text, megabytes
    run "$oshrun" -n 1 --heap "$1" sh -c "$heap"
    expect_out $(($2 * MB))
}
accept 4m 4
accept 4M 4
accept 4096k 4
accept 4194304 4
accept 4194305 6
accept 1 2
accept 3.1M 4
accept .5g 512
accept 0.5G 512
accept 1.5g 1536
accept 2gb 2048
accept 512MiB 512

refuse() {
    run "$oshrun" -n 1 --heap "$1" true
    expect_code 2 "--heap $1"
    expect_line "oshrun: --heap $1: $2"
}
refuse 1t '*at most 19456 MB'
refuse 99999999999g '*'
refuse -5m '*'
refuse lots 'not a size*'
refuse 5x 'not a size*'
refuse 1kk 'not a size*'
refuse 20mk 'not a size*'
refuse 2gigabytes 'not a size*'
refuse 4mib2 'not a size*'
refuse 0 'not a size*'
refuse 0.0g 'not a size*'
refuse . 'not a size*'
refuse inf 'not a size*'
refuse nan 'not a size*'

run "$oshrun" -n 1 sh -c "$heap"
expect_out $((1024 * MB))
SMA_SYMMETRIC_SIZE=8m run "$oshrun" -n 1 sh -c "$heap"
expect_out $((8 * MB))
SHMEM_SYMMETRIC_SIZE=6m SMA_SYMMETRIC_SIZE=8m run "$oshrun" -n 1 sh -c "$heap"
expect_out $((6 * MB))
SHMEM_SYMMETRIC_SIZE=6m run "$oshrun" -n 1 --heap 10m sh -c "$heap"
expect_out $((10 * MB))
SHMEM_SYMMETRIC_SIZE=wrong run "$oshrun" -n 1 true
expect_code 2
expect_line 'oshrun: SHMEM_SYMMETRIC_SIZE=wrong: not a size*'
for value in 0 0k; do
    SHMEM_SYMMETRIC_SIZE=$value run "$oshrun" -n 1 true
    expect_code 2
    expect_line "oshrun: SHMEM_SYMMETRIC_SIZE=$value: not a size*"
done

# Of a variable the specification has what stands behind the factor ignored.
SHMEM_SYMMETRIC_SIZE=20mk run "$oshrun" -n 1 sh -c "$heap"
expect_out $((20 * MB))
expect_line 'oshrun: SHMEM_SYMMETRIC_SIZE=20mk: taken as 20971520 bytes; *'
finish
