# SPDX-License-Identifier: BSD-3-Clause
# Queues between a master and 1, 4 and 16 clusters: one sender to one reader, and many to one; by events, waiting, and in place.
. "$(dirname "$0")/common.sh"
io queues_io
cluster queues_cluster
for clusters in 1 4 16; do
    run ./queues_io $clusters
    expect_code 0 "$clusters clusters"
    expect_silence
    expect_out well
done
finish
