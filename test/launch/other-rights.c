// SPDX-License-Identifier: BSD-3-Clause
// With the bits of set-user-ID and set-group-ID: becomes another user as sudo does, and stays for some seconds.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    if (setuid(geteuid()) != 0) return 99;
    printf("begun\n");
    fflush(stdout);
    sleep(20);
    return 0;
}
