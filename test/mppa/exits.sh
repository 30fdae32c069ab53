# SPDX-License-Identifier: BSD-3-Clause
# A cluster's program that ends by exit() or _exit() without mppa_async_final ends its queue and its segment: a message, a put and an
# atomic operation of another program return -1, and a fence does not wait for it.
. "$(dirname "$0")/common.sh"
io exits_io
cluster exits_cluster
for delay in 0 100000 30000000; do
    for how in exit _exit; do
        for code_of_cluster in 0 3; do
            run ./exits_io $delay $how $code_of_cluster
            expect_code 0 "delay $delay, $how $code_of_cluster"
            expect_out 'message -1, put -1, atomic -1, fence 0'
        done
    done
done
finish
