// SPDX-License-Identifier: BSD-3-Clause
// How many PEs are on the node of this PE, for tests that run on one node and on several.
#ifndef SKERRY_TEST_SHMEM_NEAR_H
#define SKERRY_TEST_SHMEM_NEAR_H

#include "test.h"

// From what oshrun has told the process. The library removes this variable, but not from the memory that the kernel shows.
// 0: srun or mpirun has started the process, or nobody, or the machine has no such file.
TEST_UNUSED static int test_near_pes(void) {
    static char variables[1 << 17];
    FILE *file = fopen("/proc/self/environ", "r");
    const size_t bytes = file ? fread(variables, 1, sizeof variables - 1, file) : 0;
    if (file) fclose(file);
    variables[bytes] = 0;
    for (const char *at = variables; at < variables + bytes; at += strlen(at) + 1) {
        if (strncmp(at, "SKERRY_JOB=", 11) != 0) continue;
        const char *near = strstr(at, ",near=");
        return near ? atoi(near + 6) : atoi(strstr(at, ",pes=") + 5);
    }
    return 0;
}

#endif
