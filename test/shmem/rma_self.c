// SPDX-License-Identifier: BSD-3-Clause
// A PE may name itself: every put and get of every type works within one PE's memory, without any barrier.
#include "rma_families.h"

#define COUNT 37

static _Alignas(16) unsigned char source[COUNT * 16 * 3];
static _Alignas(16) unsigned char dest[COUNT * 16 * 3];

static void require_copied(const struct rma_family *family, const char *what) {
    size_t bytes = COUNT * family->size;
    REQUIRE(memcmp(dest, source, bytes) == 0 && test_all_guard(dest + bytes, sizeof dest - bytes), "%s %s to itself",
            what, family->name);
    memset(dest, TEST_GUARD, sizeof dest);
}

// Every second element of the source, to every third place.
static void require_strided(const struct rma_family *family, const char *what) {
    for (size_t i = 0; i < COUNT; i++)
        REQUIRE(memcmp(dest + 3 * i * family->size, source + i * family->size * 2, family->size) == 0,
                "%s %s to itself: element %zu", what, family->name, i);
    memset(dest, TEST_GUARD, sizeof dest);
}

static void try_family(const struct rma_family *family) {
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    memset(dest, TEST_GUARD, sizeof dest);
    family->put(ctx, dest, source, COUNT, me);
    require_copied(family, "put");
    family->get(ctx, dest, source, COUNT, me);
    require_copied(family, "get");
    family->put_nbi(ctx, dest, source, COUNT, me);
    shmem_quiet();
    require_copied(family, "put_nbi");
    family->get_nbi(ctx, dest, source, COUNT, me);
    shmem_quiet();
    require_copied(family, "get_nbi");
    if (!family->iput) return;
    family->iput(ctx, dest, source, 3, 2, COUNT, me);
    require_strided(family, "iput");
    family->iget(ctx, dest, source, 3, 2, COUNT, me);
    require_strided(family, "iget");
    family->ibput(ctx, dest, source, 3, 2, 1, COUNT, me);
    require_strided(family, "ibput");
    family->ibget(ctx, dest, source, 3, 2, 1, COUNT, me);
    require_strided(family, "ibget");
}

int main(void) {
    test_begin();
    test_fill(source, sizeof source, (uint64_t)me);
    for (size_t i = 0; i < RMA_FAMILIES; i++) {
        try_family(&rma_plain[i]);
        try_family(&rma_context[i]);
    }
    return test_end();
}
