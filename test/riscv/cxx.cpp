// SPDX-License-Identifier: BSD-3-Clause
// C++ without a library of C++: overloads by type, static objects whose constructors and destructors run, virtual
// functions, new and delete, remote procedure calls of functions in namespaces, with floating-point arguments.
// expect-exit: 0
// expect-stderr: the counter is destroyed
#include <shmem.h>
#include <shmemx.h>

#include <stdio.h>

namespace {

int me, pes;

void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "PE %d of %d: %s\n", me, pes, what);
    shmem_global_exit(1);
}

struct Counter {
    explicit Counter(long first) : value(first) {
    }
    ~Counter() {
        if (me == 0) fputs("the counter is destroyed\n", stderr);
    }
    long value;
};
Counter counter(5); // its constructor runs before main
double numbers[4];
uint64_t arrived;

struct Shape {
    virtual double area() const = 0;
    virtual ~Shape() = default;
};
struct Square : Shape {
    explicit Square(double side) : side(side) {
    }
    double area() const override {
        return side * side;
    }
    double side;
};

long add(long *at, double by, float more) {
    at = localize(at);
    *at += static_cast<long>(by) + static_cast<long>(more);
    return *at;
}

template <typename T> void exchange(T *to, const T *from, int pe) {
    shmem_put(to, from, 2, pe);
}

} // namespace

namespace inner {
static int twice(int *at, int n) {
    return *localize(at) + 2 * n;
}
static double block_sum(int *, const void *block, size_t bytes, double factor) {
    const double *values = static_cast<const double *>(block);
    double sum = 0;
    for (size_t i = 0; i < bytes / sizeof *values; i++) sum += values[i];
    return sum * factor;
}
RPC(twice)
RPC_BLOCK(block_sum)
} // namespace inner
RPC_ASYNC(add, (long *at, double by, float more), (at, by, more))

static int zero;

int main() {
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    const int right = (me + 1) % pes, left = (me + pes - 1) % pes;
    require(counter.value == 5, "a constructor");
    shmem_p(&counter.value, 100L + me, right);
    const double values[] = {1.5, 2.5 + me};
    exchange(numbers, values, right);
    shmem_barrier_all();
    require(counter.value == 100 + left && shmem_g(&counter.value, right) == 100 + me, "p and g of a member");
    require(numbers[0] == 1.5 && numbers[1] == 2.5 + left, "put of doubles");
    shmem_barrier_all();
    require(shmem_atomic_fetch_add(&counter.value, 1L, me) == 100 + left, "fetch_add");
    shmem_barrier_all();
    long *there = static_cast<long *>(shmem_ptr(&counter.value, right));
    require(add_rpc(there, 2.5, 3.5F) == 101 + me + 5, "a call");
    long got = 0;
    shmemx_rpc_event_t event = add_async(there, 1.0, 1.0F);
    shmemx_rpc_wait(&event, &got);
    require(got == 108 + me, "an asynchronous call");
    int *zero_there = static_cast<int *>(shmem_ptr(&zero, right));
    require(inner::twice_rpc(zero_there, 4) == 8, "a function of a namespace");
    require(inner::block_sum_rpc(zero_there, values, sizeof values, 2.0) == 8.0 + 2 * me, "a block");
    Shape *shape = new Square(1.5);
    require(shape->area() == 2.25, "a virtual function");
    delete shape;
    shmem_atomic_set(&arrived, uint64_t{7}, right);
    shmem_wait_until(&arrived, SHMEM_CMP_EQ, uint64_t{7});
    shmem_finalize();
    return 0;
}
