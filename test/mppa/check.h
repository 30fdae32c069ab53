// SPDX-License-Identifier: BSD-3-Clause
// What the programs of these tests share: saying what was not as it should be, and numbers that both sides know.
#ifndef TEST_MPPA_CHECK_H
#define TEST_MPPA_CHECK_H

#include <mppa_async.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(CONDITION)                                                                                               \
    do {                                                                                                               \
        if (!(CONDITION)) {                                                                                            \
            fprintf(stderr, "%d: %s:%d: not so: %s\n", __k1_get_cluster_id(), __FILE__, __LINE__, #CONDITION);         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

// The master's segments.
enum { COUNTERS = 100, TILES, FLAGS, CUBE };

// An array of tiles, one a cluster and row of them, inside a border that belongs to nobody.
#define TILE 12
#define HALO 2
#define WIDTH (TILE + 2 * HALO)
#define HEIGHT(CLUSTERS) (TILE * (CLUSTERS) + 2 * HALO)

#define SIDE 9 // of the cube

#endif
