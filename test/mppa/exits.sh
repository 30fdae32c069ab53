# SPDX-License-Identifier: BSD-3-Clause
# A cluster's program that ends by exit() without mppa_async_final ends its queue and its segment: a message, a put and an
# atomic operation of another program return -1, and a fence does not wait for it.
. "$(dirname "$0")/common.sh"
io exits_io
cluster exits_cluster
for delay in 0 100000 30000000; do
    run ./exits_io $delay
    expect_code 0 "delay $delay"
    expect_out 'message -1, put -1, atomic -1, fence 0'
done
finish
