// SPDX-License-Identifier: BSD-3-Clause
// Stores through a null pointer.
#include <stddef.h>

int main(void) {
    volatile int *volatile nowhere = NULL;
    *nowhere = 3; // line 7
    return 0;
}
