// SPDX-License-Identifier: BSD-3-Clause
// A program of the C library: formatted output, arguments, exit code.
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    printf("hello %d %s %c %u\n", -42, "chip", 'x', 4000000000U);
    fprintf(stderr, "%d arguments\n", argc);
    return 3;
}
