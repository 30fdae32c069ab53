// SPDX-License-Identifier: BSD-3-Clause
// A cluster that ends while one of its threads goes on.
#include <stddef.h>
#include <utask.h>

static void *go_on(void *unused) {
    for (volatile int i = 1; i; i++) {
    }
    return unused;
}

int main(void) {
    utask_t task;
    return utask_create(&task, NULL, go_on, NULL);
}
