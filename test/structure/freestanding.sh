#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# freestanding.sh LIST-OF-PORTABLE-OBJECTS LIST-OF-MACHINE-OBJECTS: everything above the machine's floor, linked into one
# object, asks for nothing but what the machine defines and what every GCC brings along: the four functions that it may call
# by itself, and its own libgcc.a.
set -eu
nm=${NM:-nm}
linker=${LD:-ld}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$linker" -r -o "$work/portable.o" "@$1"
"$nm" --undefined-only --format=posix "$work/portable.o" | cut -d' ' -f1 | sort -u >"$work/wanted"
xargs "$nm" --defined-only --extern-only --format=posix <"$2" 2>/dev/null | sed -n 's/^\(skerry_[a-z0-9_]*\) .*/\1/p' |
    sort -u >"$work/given"
# On aarch64 libgcc's atomics ask the system, by __getauxval, for the processor's atomic instructions; -mno-outline-atomics
# would spare a chip that, at the price of slower atomics here.
"$nm" --defined-only --extern-only --format=posix "$("${CC:-cc}" -print-libgcc-file-name)" 2>/dev/null |
    sed -n 's/^\(__[a-z0-9_]*\) .*/\1/p' >>"$work/given"
printf '%s\n' memcpy memmove memset memcmp _GLOBAL_OFFSET_TABLE_ __getauxval >>"$work/given"
sort -u -o "$work/given" "$work/given"

[ "$(grep -c '^skerry_' "$work/wanted")" -ge 10 ] || { echo "freestanding: looked at the wrong objects" >&2; exit 1; }
foreign=$(comm -23 "$work/wanted" "$work/given")
if [ -n "$foreign" ]; then
    echo "freestanding: code above the machine's floor calls what no machine gives:" >&2
    echo "$foreign" >&2
    exit 1
fi
echo "freestanding: $(wc -l <"$work/wanted") names, all given by the machine or the compiler"
