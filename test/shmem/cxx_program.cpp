// SPDX-License-Identifier: BSD-3-Clause
// A C++ program: overloads by type, with and without a context, constructors of static objects that ran before, members of
// classes as symmetric objects, exceptions and the standard library beside it.
// pes: 1 2 4 16
#include <shmem.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Counter {
    explicit Counter(long first) : value(first) {
    }
    long value;
};

Counter counter(5); // its constructor runs before main
double numbers[4];
long sums[2];
uint64_t arrived;
int me, pes;

void require(bool condition, const char *what) {
    if (condition) return;
    std::fprintf(stderr, "PE %d of %d: %s\n", me, pes, what);
    shmem_global_exit(1);
}

int right() {
    return (me + 1) % pes;
}

int left() {
    return (me + pes - 1) % pes;
}

void remote_memory() {
    shmem_ctx_t context;
    require(shmem_ctx_create(0, &context) == 0, "no context");
    const std::vector<double> values{1.5, 2.5 + me};
    shmem_put(numbers, values.data(), values.size(), right());
    shmem_put(context, numbers + 2, values.data(), 1, right());
    shmem_ctx_quiet(context);
    shmem_p(&counter.value, 100L + me, right());
    shmem_barrier_all();
    require(numbers[0] == 1.5 && numbers[1] == 2.5 + left() && numbers[2] == 1.5, "put of doubles");
    require(counter.value == 100 + left() && shmem_g(&counter.value, right()) == 100 + me, "p and g of a member");
    shmem_barrier_all();
    require(shmem_atomic_fetch_add(&counter.value, 1L, me) == 100 + left(), "fetch_add");
    shmem_ctx_destroy(context);
}

void collectives() {
    long *source = static_cast<long *>(shmem_malloc(2 * sizeof(long)));
    require(source != nullptr, "no memory");
    source[0] = me;
    source[1] = 1;
    require(shmem_sum_reduce(SHMEM_TEAM_WORLD, sums, source, 2) == 0, "sum_reduce");
    std::vector<long> ranks(static_cast<std::size_t>(pes));
    std::iota(ranks.begin(), ranks.end(), 0L);
    require(sums[0] == std::accumulate(ranks.begin(), ranks.end(), 0L) && sums[1] == pes, "sum of all PEs");
    shmem_free(source);
    shmem_signal_add(&arrived, 2, right());
    require(shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 2) == 2, "signal");
}

bool exceptions_work() {
    try {
        throw std::runtime_error("thrown in PE " + std::to_string(me));
    } catch (const std::exception &error) {
        return std::string(error.what()).find("thrown") == 0;
    }
}

} // namespace

int main() {
    if (counter.value != 5) return 3;
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    require(counter.value == 5, "the constructor's value is lost");
    shmem_barrier_all();
    remote_memory();
    collectives();
    require(exceptions_work(), "exceptions");
    shmem_finalize();
    return 0;
}
