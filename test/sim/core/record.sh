#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# record.sh FOLDER-OF-THE-CROSS-TOOLS [FILE.s]: assembles programs.s, or another file, into the .inc beside it, one line a
# sequence: X(name, half words).
set -e
source=${2:-$(dirname "$0")/programs.s}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
"$1/epiphany-elf-as" "$source" -o "$temporary/programs.o"
"$1/epiphany-elf-ld" -Ttext 0 -e 0 "$temporary/programs.o" -o "$temporary/programs.elf"
"$1/epiphany-elf-objcopy" -O binary -j .text "$temporary/programs.elf" "$temporary/programs.bin"
"$1/epiphany-elf-nm" -n "$temporary/programs.elf" | awk '$2 == "T" && $3 !~ /^_/ { print $1, $3 }' > "$temporary/names"
{
    echo "// SPDX-License-Identifier: BSD-3-Clause"
    echo "// Recorded by record.sh from $(basename "$source")."
    od -An -v -tx2 -w2 "$temporary/programs.bin" | awk -v names="$temporary/names" '
        function number(hex, n, k) {
            for (k = 1; k <= length(hex); k++) n = 16 * n + index("0123456789abcdef", substr(hex, k, 1)) - 1
            return n
        }
        BEGIN { while ((getline line < names) > 0) { split(line, f, " "); name[number(f[1])] = f[2] } }
        { at = 2 * (NR - 1); if (at in name) { if (NR > 1) print ")"; printf "X(%s", name[at] } printf ", 0x%s", $1 }
        END { print ")" }'
} > "${source%.s}.inc"
