# SPDX-License-Identifier: BSD-3-Clause
# The two DDRs: memory, transfers and atomics in both at once, with and without a program on the second I/O node.
. "$(dirname "$0")/common.sh"
io ddrs_io
io ddrs_second
cluster ddrs_cluster
for clusters in 1 2 16; do
    for how in alone late early; do
        run ./ddrs_io $clusters $how
        expect_code 0 "$clusters clusters, $how"
        expect_silence
        expect_out well
    done
done
run "$oshrun" ./ddrs_io 2 late
expect_code 0 "oshrun"
expect_out well
run ./ddrs_io 1 wrong
expect_code 1 "a block of the other DDR"
expect_line 'skerry: PE 0: mppa_async_free: segment MPPA_ASYNC_DDR_0, offset 0x*: the offset is in MPPA_ASYNC_DDR_1, *'
SHMEM_SYMMETRIC_SIZE=150M run ./ddrs_io 2 late
expect_code 0 "small DDRs"
expect_out well
finish
