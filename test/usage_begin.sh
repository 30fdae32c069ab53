# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# The begin of the scripts usage.sh BIN FOLDER, which read this file: enters the folder.
set -eu
bin=$1 folder=$2
mkdir -p "$folder"
cd "$folder"
fail() {
    echo "usage.sh: $*" >&2
    exit 1
}
# ends CODE TEXT COMMAND...: the command ends with this exit code, and writes the text.
ends() {
    wanted=$1 text=$2
    shift 2
    code=0
    "$@" >output 2>&1 || code=$?
    [ "$code" = "$wanted" ] || fail "$*: exit code $code instead of $wanted: $(head -5 output)"
    grep -q "$text" output || fail "$*: $(cat output)"
}

# A program that prints how many threads a region has, and whose last thread ends the program with exit code 7.
cat >ends.c <<'C'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    printf("%d threads\n", threads);
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) exit(7);
    return 0;
}
C
