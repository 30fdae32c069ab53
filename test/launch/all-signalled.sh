#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PEs that all end by a signal that a terminal sends, or by the exit code of one, are a failure like any other.
. "$(dirname "$0")/common.sh"

for wanted in 129 130 131 143; do
    run "$oshrun" -n 1 sh -c "exit $wanted"
    expect_code $wanted "exit code"
    expect_line "oshrun: PE 0 (process *) exited with code $wanted; job stopped"
done

for signal in HUP INT QUIT TERM; do
    case $signal in HUP) number=1 ;; INT) number=2 ;; QUIT) number=3 ;; TERM) number=15 ;; esac
    run env --default-signal=INT,QUIT "$oshrun" -n 4 sh -c "kill -s $signal \$\$; sleep 30"
    expect_code $((128 + number)) "$signal"
    expect_line "oshrun: PE ? (process *) was killed by signal $number (*); job stopped"
done

# The first failure is named, whatever comes behind it.
run "$oshrun" -n 2 sh -c '[ "$SKERRY_PE" = 0 ] && kill -TERM $$; sleep 0.02; exit 5'
expect_code 143 "the first"
expect_line "oshrun: PE 0 (process *) was killed by signal 15 (*); job stopped"
finish
