// SPDX-License-Identifier: BSD-3-Clause
// Checks what the processes of a job must have in common, in a job that a process manager (such as srun) has started:
// the version of the library, the program, and the size of the symmetric heap. Each process sends its identity with a
// message that the start needs anyway (managed_node.c, managed_exchange.c).
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "managed_internal.h"

const struct skerry_identity *skerry_own_identity(void) {
    static struct skerry_identity own;
    if (own.version[0]) return &own;
    snprintf(own.version, sizeof own.version, "%s", skerry_build());
    own.pe = skerry_facts.my_pe;
    own.heap_bytes = skerry_facts.heap_bytes;
    own.program = *skerry_program();
    return &own;
}

uint64_t skerry_managed_program(void) {
    return skerry_program()->headers;
}

// If a node differs from another node, one of them differs from PE 0's node, and PE 0 notices this.
static void let_first_node_report(void) {
    skerry_await_turn(skerry_managed.job.node, true);
}

void skerry_check_identity(const struct skerry_identity *other) {
    const struct skerry_identity *own = skerry_own_identity();
    const char *own_node = skerry_managed_node_name(own->pe), *other_node = skerry_managed_node_name(other->pe);
    if (strncmp(other->version, own->version, sizeof own->version) != 0) {
        let_first_node_report();
        skerry_refuse(
            "PE %d on node %s uses version %.*s of Skerry, and PE %d on node %s uses version %s; all PEs must "
            "use the same version",
            other->pe, other_node, (int)sizeof other->version - 1, other->version, own->pe, own_node, own->version);
    }
    if (!skerry_is_same_program(&own->program, &other->program)) {
        let_first_node_report();
        skerry_refuse("PE %d on node %s runs another program than PE %d on node %s: their files differ; all PEs of a "
                      "job must run the same program",
                      other->pe, other_node, own->pe, own_node);
    }
    if (other->heap_bytes != own->heap_bytes) {
        let_first_node_report();
        skerry_refuse(
            "SHMEM_SYMMETRIC_SIZE: the symmetric heap has %llu bytes on PE %d and %llu on PE %d; it must have "
            "the same size on all PEs",
            (unsigned long long)own->heap_bytes, own->pe, (unsigned long long)other->heap_bytes, other->pe);
    }
}
