#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# record.sh FOLDER-OF-THE-CROSS-TOOLS: assembles programs.s into programs.inc, one line a sequence: X(name, half words).
set -e
here=$(cd "$(dirname "$0")" && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
"$1/epiphany-elf-as" "$here/programs.s" -o "$temporary/programs.o"
"$1/epiphany-elf-ld" -Ttext 0 -e 0 "$temporary/programs.o" -o "$temporary/programs.elf"
"$1/epiphany-elf-objcopy" -O binary -j .text "$temporary/programs.elf" "$temporary/programs.bin"
"$1/epiphany-elf-nm" -n "$temporary/programs.elf" | awk '$2 == "T" && $3 !~ /^_/ { print $1, $3 }' > "$temporary/names"
{
    echo "// SPDX-License-Identifier: BSD-3-Clause"
    echo "// Recorded by record.sh from programs.s."
    od -An -v -tx2 -w2 "$temporary/programs.bin" | awk -v names="$temporary/names" '
        BEGIN { while ((getline line < names) > 0) { split(line, f, " "); name[strtonum("0x" f[1])] = f[2] } }
        { at = 2 * (NR - 1); if (at in name) { if (NR > 1) print ")"; printf "X(%s", name[at] } printf ", 0x%s", $1 }
        END { print ")" }'
} > "$here/programs.inc"
