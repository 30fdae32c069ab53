#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What PEs leave running in the background ends with the job, whether the job went well or not.
. "$(dirname "$0")/common.sh"
duration=$(unique_duration 3)

run "$oshrun" -n 2 sh -c "(setsid sleep $duration &); echo done"
expect_code 0 "all well"
expect_out "done
done"
none_sleeps "$duration" || fail "processes are left after a good end"

run "$oshrun" -n 2 sh -c "(setsid sleep $duration &); exit 3"
expect_code 3 "failed"
none_sleeps "$duration" || fail "processes are left after a failure"
finish
