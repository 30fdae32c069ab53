// SPDX-License-Identifier: BSD-3-Clause
// A program that makes no use of OpenSHMEM, only of C.
#include <errno.h>
#include <stdio.h>
#include <time.h>

int main(void) {
    clock_t begin = clock();
    puts("hi");
    if (clock() < begin || clock() == (clock_t)-1) return 1;
    if (rename("one", "other") == 0 || errno != ENOSYS) return 2;
    return 0;
}
