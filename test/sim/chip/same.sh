#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# same.sh SKERRY-SIM PROGRAM.ELF HOST-PROGRAM: both print the same and end with the same exit code.
chip=$("$1" --cores 1 --max-cycles 1000000000 "$2"); chip_code=$?
host=$("$3"); host_code=$?
[ "$chip" = "$host" ] && [ "$chip_code" = "$host_code" ] && exit 0
printf 'chip (%s):\n%s\nhost (%s):\n%s\n' "$chip_code" "$chip" "$host_code" "$host" >&2
exit 1
