// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue.hpp"

#include <algorithm>

namespace skerry::bench {

const std::vector<Benchmark> &benchmarks() {
    static const std::vector<Benchmark> list{
        {"p", "rma", false, 1, "shmem_long_p"},
        {"g", "rma", false, 1, "shmem_long_g"},
        {"put8", "rma", false, 1, "shmem_long_put of one element"},
        {"get8", "rma", false, 1, "shmem_long_get of one element"},
        {"p_quiet", "rma", false, 1, "shmem_long_p, then quiet"},
        {"put8_quiet", "rma", false, 1, "shmem_long_put of one element, then quiet"},
        {"put", "rma", true, 1, "shmem_putmem"},
        {"get", "rma", true, 1, "shmem_getmem"},
        {"put_quiet", "rma", true, 1, "shmem_putmem, then quiet"},
        {"get_quiet", "rma", true, 1, "shmem_getmem, then quiet"},
        {"put_signal", "rma", true, 1, "shmem_putmem_signal (before 1.5: put, fence, p)"},
        {"rate", "rma", true, 1, "a message of a burst of 64 shmem_putmem_nbi with one quiet"},
        {"fetch_add", "atomic", false, 1, "shmem_long_atomic_fetch_add"},
        {"cswap", "atomic", false, 1, "shmem_long_atomic_compare_swap"},
        {"add", "atomic", false, 1, "shmem_long_atomic_add"},
        {"swap", "atomic", false, 1, "shmem_long_atomic_swap"},
        {"fetch", "atomic", false, 1, "shmem_long_atomic_fetch"},
        {"fetch_add_shared", "atomic", false, 1, "fetch_add of all PEs on one word"},
        {"pingpong", "pingpong", false, 1, "ping-pong: shmem_long_p and wait_until, one way"},
        {"pingpong_signal", "pingpong", true, 1, "ping-pong: put_signal and wait, one way"},
        {"barrier_all", "barrier", false, 1, "shmem_barrier_all"},
        {"sync_all", "barrier", false, 1, "shmem_sync_all"},
        {"broadcast", "collective", true, 8, "broadcast; each call has the next PE as root"},
        {"collect", "collective", true, 8, "collect"},
        {"fcollect", "collective", true, 8, "fcollect"},
        {"alltoall", "collective", true, 8, "alltoall"},
        {"sum_int", "reduce", true, 4, "sum of ints over all PEs"},
        {"sum_long", "reduce", true, 8, "sum of longs over all PEs"},
        {"inscan", "reduce", true, 4, "inclusive prefix sum of ints (1.6)"},
        {"exscan", "reduce", true, 4, "exclusive prefix sum of ints (1.6)"},
        {"lock", "lock", false, 1, "set_lock and clear_lock by one PE"},
        {"lock_shared", "lock", false, 1, "set_lock and clear_lock by all PEs at once, for each turn"},
        {"rpc", "rpc", false, 1, "remote call of an empty function, until its result arrives (shmemx.h)"},
        {"rpc_async", "rpc", false, 1, "the same, with 32 calls in flight"},
        {"update_rpc", "rpc", false, 1, "update of a record on PE 0 by all PEs, by remote calls"},
        {"update_post", "rpc", false, 1, "the same, by calls without results"},
        {"update_atomics", "rpc", false, 1, "the same, by atomics"},
        {"update_lock", "rpc", false, 1, "the same, under a lock"},
        {"aos_put", "aos", true, 1, "aos_put (aos.h)"},
        {"aos_get", "aos", true, 1, "aos_get"},
        {"aos_postadd", "aos", false, 1, "aos_postadd"},
        {"aos_fetchadd", "aos", false, 1, "aos_fetchadd"},
        {"aos_queue", "aos", false, 1, "one of many messages of 16 bytes through a queue"},
        {"aos_block2d", "aos", false, 1, "aos_get_block2d: 66x66 floats out of 1024x1024"},
        {"block2d_rows", "aos", false, 1, "the same by hand, a memcpy for each row"},
        {"block2d_elements", "aos", false, 1, "the same by hand, a load for each float"},
        {"hello", "hello", false, 1, "start and end of a program"},
    };
    return list;
}

const Benchmark *find_benchmark(std::string_view name) {
    const auto found =
        std::find_if(benchmarks().begin(), benchmarks().end(), [&](const Benchmark &b) { return b.name == name; });
    return found == benchmarks().end() ? nullptr : &*found;
}

Limit limit_of(const Key &key, int processors) {
    const std::string &name = key.name;
    const long bytes = static_cast<long>(key.bytes);
    if (name == "p" || name == "put8") return {"store_load", "store", 8};
    if (name == "g" || name == "get8" || name == "fetch") return {"store_load", "load", 8};
    if (name == "p_quiet" || name == "put8_quiet") return {"fence", "store_fence", 8};
    if (name == "fetch_add" || name == "aos_fetchadd") return {"atomic", "fetch_add_look", 8};
    if (name == "add" || name == "aos_postadd") return {"atomic", "add_look", 8};
    if (name == "lock") return {"lock", "lock_fenced_look", 8};
    if (name == "cswap") return {"atomic", "compare_swap_look", 8};
    if (name == "swap") return {"atomic", "swap_look", 8};
    if (name == "pingpong") return {"pingpong", "pingpong", 2};
    if (name == "rpc") return {"pingpong", "pingpong", 2, 2}; // a call and its reply move a cache line twice
    if (name == "aos_queue") return {"ring", "ring", 16};
    if (name == "put" || name == "get" || name == "rate" || name == "aos_put" || name == "aos_get")
        return {"copy", "copy_best", bytes};
    // From 64 KB on, a fence takes a negligible part of the time. Copies of this size are therefore compared with the
    // copy without a fence, which is the stricter limit.
    if (name == "put_quiet" || name == "get_quiet")
        return {"copy", key.bytes < 65536 ? "copy_fence_best" : "copy_best", bytes};
    if (name == "barrier_all" || name == "sync_all") {
        if (key.pes == 2 && processors >= 2) return {"barrier_spin", "barrier_spin", 2};
        if (key.pes == 2 || key.pes == 4 || key.pes == 8 || key.pes == 16)
            return {"barrier_yield", "barrier_yield", key.pes};
    }
    if (name == "hello") return {"spawn", "fork", 16, static_cast<double>(key.pes) / 16};
    return {};
}

} // namespace skerry::bench
