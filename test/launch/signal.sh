#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PE that a signal kills is named with the signal, and the job's code is 128 plus its number.
. "$(dirname "$0")/common.sh"

for signal in 6 9 11 15; do
    run "$oshrun" -n 2 sh -c "if [ \$SKERRY_PE = 1 ]; then kill -$signal \$\$; else exec sleep 30; fi"
    expect_code $((128 + signal)) "signal $signal"
    expect_line "oshrun: PE 1 (process *) was killed by signal $signal (*); job stopped"
done
finish
