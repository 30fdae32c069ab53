# SPDX-License-Identifier: BSD-3-Clause
# A master and 1, 4 and 16 clusters: put, get, blocks, atomics, conditions, memory of the DDR's, and all memory of one another, also
# where the system does not let processes into each other's memory.
. "$(dirname "$0")/common.sh"
io segments_io
cluster segments_cluster
for clusters in 1 2 4 7 16; do
    run ./segments_io $clusters
    expect_code 0 "$clusters clusters"
    expect_silence
    expect_out well
done
run "$oshrun" ./segments_io 4
expect_code 0 "oshrun"
expect_out well
SKERRY_NO_CROSS_MEMORY=1 run ./segments_io 4
expect_code 0 "without the kernel's copies"
expect_out well
SKERRY_CHECK=1 run ./segments_io 2
expect_code 1 "checking"
expect_line 'skerry: PE [12]: aos_put: segment 100 of PE 0: offset 144 and the 8 bytes from there on must lie inside its 144 bytes*'
finish
