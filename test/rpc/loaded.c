// SPDX-License-Identifier: BSD-3-Clause
// A function of a library that not all PEs have loaded. A PE without any function serves nothing: the caller runs it, or is told
// if the PE is far. With
// -DSERVES all have one, and the caller of another is told, and nothing else comes of it. When all have loaded the library its function is
// called; unloaded and loaded again, too.
#include "rpc.h"

#include <dlfcn.h>

#ifndef LOADED // the build says where it is
#define LOADED "librpc_loaded.so"
#endif

typedef long function(long *at, long by);
typedef shmemx_rpc_event_t beginner(long *at, long by);

static long data[1];
static function *call;
static beginner *begin;

static void *load(void) {
    void *library = dlopen(LOADED, RTLD_NOW);
    REQUIRE(library, "%s", dlerror());
    call = (function *)dlsym(library, "of_loaded_rpc");
    begin = (beginner *)dlsym(library, "begin_of_loaded");
    REQUIRE(call && begin, "%s", dlerror());
    return library;
}

#ifdef SERVES
static void nothing(long *at) {
    (void)at;
}
RPC(nothing)

static void call_in_vain(void) {
    for (int pe = 1; pe < pes; pe++) {
        long *at = address_at(data, pe), result = 7;
        REQUIRE(call(at, 5) == 0 && shmemx_rpc_status() == SHMEMX_RPC_UNKNOWN, "PE %d: status %d", pe,
                shmemx_rpc_status());
        shmemx_rpc_event_t event = begin(at, 5);
        int status = shmemx_rpc_wait(&event, &result);
        REQUIRE(status == SHMEMX_RPC_UNKNOWN && result == 0, "PE %d: status %d, result %ld", pe, status, result);
    }
}

#else

static void call_in_vain(void) {
    for (int pe = 1; pe < pes; pe++) {
        long result = call(address_at(data, pe), 5);
        int status = is_far(pe) ? SHMEMX_RPC_UNKNOWN : SHMEMX_RPC_RUN_BY_CALLER;
        REQUIRE(shmemx_rpc_status() == status, "PE %d: status %d", pe, shmemx_rpc_status());
        REQUIRE(result == (is_far(pe) ? 0 : 100 * pe + 5), "PE %d: %ld", pe, result);
    }
}
#endif

static void call_all(void) {
    for (int pe = 0; pe < pes; pe++) {
        long result = call(address_at(data, pe), 5);
        REQUIRE(result == 100 * pe + 5, "PE %d: %ld", pe, result);
        REQUIRE(pe == me || shmemx_rpc_status() == SHMEMX_RPC_SERVED, "PE %d: status %d", pe, shmemx_rpc_status());
    }
}

int main(void) {
    test_begin();
    void *library = NULL;
    data[0] = 100 * me;
    shmem_barrier_all();
    if (me == 0) library = load();
    if (me == 0) call_in_vain();
    shmem_barrier_all();
    for (int round = 0; round < 3; round++) {
        if (me != 0 || round > 0) library = load();
        shmem_barrier_all();
        call_all();
        shmem_barrier_all();
        REQUIRE(dlclose(library) == 0, "%s", dlerror());
        shmem_barrier_all();
    }
    return test_end();
}
