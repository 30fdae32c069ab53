#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A put or a get of a far PE with a negative count ends the job at once with one line, also without --check. The calls of AOS
# return an error.
. "$(dirname "$0")/../launch/common.sh"
"$SKERRY_BIN/oshcc" -O1 "$here/negative_counts.c" -o negative_counts || exit 1
export SKERRY_NODES=2 UCX_TLS=tcp,self

refused() { # ROUTINE, OPERATION, BYTES
    run "$oshrun" --timeout 30 -n 3 ./negative_counts "$1"
    expect_code 1 "$1"
    expect_line "skerry: PE 0: $2 PE 2: $3 bytes are more than the memory of a PE can have (a negative count?)*"
}
bytes=18446744073709551608 # -1 element of 8 bytes
for routine in shmem_long_put shmem_ctx_long_put shmem_long_put_nbi; do refused $routine "a put to" $bytes; done
for routine in shmem_long_get shmem_ctx_long_get shmem_long_get_nbi; do refused $routine "a get from" $bytes; done
refused shmem_putmem "a put to" 18446744073709551615
refused shmem_getmem "a get from" 18446744073709551615
refused shmem_long_put_signal "a put to" $bytes
refused shmem_long_put_signal_nbi "a put to" $bytes
for routine in shmem_long_iput shmem_long_ibput; do refused $routine "a put to" 18446744073709551615; done
for routine in shmem_long_iget shmem_long_ibget; do refused $routine "a get from" 18446744073709551615; done

run "$oshrun" --timeout 30 -n 3 ./negative_counts aos
expect_code 0 aos
expect_silence
finish
