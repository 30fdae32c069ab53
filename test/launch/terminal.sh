#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On a terminal: PE 0 can ask and be answered, a prompt shows without a line's end, Ctrl-C ends the job, Ctrl-Z stops it.
. "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || skip "no python3"
OSHRUN=$oshrun exec timeout -k 5 60 python3 "$here/terminal.py"
