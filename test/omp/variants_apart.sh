#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# variants_apart.sh DEFAULT VARIANTS: the default library has no code of the implementations that are not the default, and the
# library of variants has it.
set -eu
symbols='skerry_omp_variants|skerry_omp_(show_variants|descriptor_|flags?_|arrive_locked|tasks_(add|take|free)|token_|queue_new)|skerry_queue_'
fail() {
    echo "variants_apart: $*" >&2
    exit 1
}
"$NM" "$2" | grep -qE "$symbols" || fail "$2 has no variants"
! "$NM" "$1" | grep -E "$symbols" >&2 || fail "$1 has code of variants"
