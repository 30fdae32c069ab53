// SPDX-License-Identifier: BSD-3-Clause
// Sends a block of data with a call, by value. Each core has memory for a few blocks: an array of struct place, with
// room for one block each (epiphany_memory.ld).
// * A caller takes a free place in the other core's memory by TESTSET (an atomic instruction), and stores its block
//   there. If no place is free, it does not wait, but continues as if the ring were full.
// * The caller adds a call of run_block to the other core's ring (its queue of calls). The argument of this call is the
//   address of the place. Block and call go from one core to one other core, so the call arrives after the block.
// * At the other core, run_block calls the program's function and then frees the place.
#include "ring.h"

struct place {
    _Alignas(8) volatile uint32_t taken;
    uintptr_t function;
    char bytes[]; // __skerry_rpc_block_bytes bytes
};
extern struct place skerry_rpc_blocks[];
// The linker script defines these symbols. skerry_rpc_blocks_end is the end of the array of places. The other two
// symbols are numbers, not places in memory: the address of each is a number of bytes.
extern char skerry_rpc_blocks_end[], _skerry_rpc_block_bytes[] SKERRY_SYMBOL("__skerry_rpc_block_bytes"),
    _skerry_rpc_block_stride[] SKERRY_SYMBOL("__skerry_rpc_block_stride");

// Runs the program's function on a block, and frees the block's place.
static void run_on_block(const struct skerry_arguments *arguments, struct skerry_results *results) {
    struct place *place = (struct place *)(uintptr_t)arguments->integers[1];
    struct skerry_arguments with = *arguments;
    with.integers[1] = (uint32_t)(uintptr_t)place->bytes;
    skerry_apply_arguments(place->function, &with, results);
    skerry_compiler_fence();
    place->taken = 0;
}

#if SKERRY_CALL_ASSEMBLY
static uint64_t run_block(uint32_t target, uint32_t place, uint32_t bytes, uint32_t more) {
    struct skerry_results results;
    run_on_block(&(struct skerry_arguments){{target, place, bytes, more}}, &results);
    return results.integers;
}
#else
SKERRY_RUN_ENTRY("skerry_rpc_run_block", "skerry_rpc_run_on_block")
void run_block(void) SKERRY_SYMBOL("skerry_rpc_run_block");
void skerry_rpc_run_on_block(uintptr_t object, const struct skerry_arguments *arguments,
                             struct skerry_results *results);
void skerry_rpc_run_on_block(uintptr_t object, const struct skerry_arguments *arguments,
                             struct skerry_results *results) {
    (void)object;
    run_on_block(arguments, results);
}
#endif

static struct place *take_place(int pe) {
    for (char *at = (char *)skerry_rpc_blocks; at != skerry_rpc_blocks_end; at += (uintptr_t)_skerry_rpc_block_stride)
        if (skerry_test_and_set(&((struct place *)skerry_global(at, pe))->taken)) return (struct place *)(void *)at;
    return 0;
}

bool skerry_rpc_push_block(const struct skerry_rpc_call *call, int pe, int class,
                           bool (*push)(const struct skerry_rpc_call *call, int pe, int class)) {
    SKERRY_NEEDS_SYMBOL("skerry_call_block");
    uint32_t bytes = call->arguments.integers[2];
    if (bytes > (uintptr_t)_skerry_rpc_block_bytes)
        skerry_fail_values("RPC_BLOCK", "a block has # bytes; it must have at most #",
                           (long[]){(long)bytes, (long)(uintptr_t)_skerry_rpc_block_bytes}, 2);
    struct place *place = take_place(pe);
    if (!place) return false;
    struct place *there = skerry_global(place, pe);
    skerry_copy(there->bytes, (const void *)(uintptr_t)call->arguments.integers[1], bytes);
    there->function = call->function - SKERRY_RPC_BLOCK;
    struct skerry_rpc_call with = *call;
    with.function = (uintptr_t)run_block;
    with.arguments.integers[1] = (uint32_t)(uintptr_t)place;
    if (push(&with, pe, class)) return true;
    there->taken = 0;
    return false;
}
