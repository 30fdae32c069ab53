// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls in C++: functions in namespaces, static ones, a specialisation of a template through a function of
// its own, one of an overload set, results of every kind, and complex numbers.
// pes: 1 2 3 8
#include <shmemx.h>

#include <complex>
#include <cstdio>
#include <cstdlib>

static int me, pes;
static long target[2];

static void require(bool condition, const char *what) {
    if (condition) return;
    std::fprintf(stderr, "PE %d of %d: cxx_program.cpp: %s\n", me, pes, what);
    shmem_global_exit(1);
}

namespace outer {
namespace inner {
static long add(long *at, long by) {
    return __atomic_add_fetch(localize(at), by, __ATOMIC_RELAXED);
}
RPC(add)
} // namespace inner
} // namespace outer

// An overload set has no address: a function with a name of its own chooses.
static double scale(const double *, double by) {
    return by * 2;
}
static int scale(const int *, int by) {
    return by * 3;
}
static double scale_double(const double *at, double by) {
    return scale(at, by);
}
RPC_ASYNC(scale_double, (const double *at, double by), (at, by))
static int scale_int(const int *at, int by) {
    return scale(at, by);
}
RPC_ASYNC(scale_int, (const int *at, int by), (at, by))

template <typename T> static T largest(const T *at, T other) {
    const T *mine = localize(at);
    return *mine > other ? *mine : other;
}
static long largest_long(const long *at, long other) {
    return largest<long>(at, other);
}
RPC(largest_long)

enum class colour : unsigned char { red = 1, green = 2 };
static colour next_colour(void *, colour now) {
    return now == colour::red ? colour::green : colour::red;
}
RPC(next_colour)

static bool is_odd(void *, int number) {
    return number % 2 != 0;
}
RPC(is_odd)

static std::complex<double> turn(void *, std::complex<double> number) {
    return number * std::complex<double>(0, 1);
}
RPC(turn)

static long double third(void *, double of) {
    return static_cast<long double>(of) / 3;
}
RPC(third)

static void nothing(long *at) {
    __atomic_fetch_add(localize(at) + 1, 1, __ATOMIC_RELAXED);
}
RPC(nothing)

template <typename T> static T *at_pe(T *symmetric, int pe) {
    return static_cast<T *>(shmemx_global(symmetric, pe));
}

static void call_each(int pe) {
    long *at = at_pe(target, pe);
    void *any = at;
    static double real[1];
    static int integer[1];
    require(outer::inner::add_rpc(at, 5) >= 5, "a function in a namespace");
    require(scale_double_rpc(at_pe(real, pe), 1.5) == 3.0, "one of an overload set");
    require(scale_int_rpc(at_pe(integer, pe), 5) == 15, "the other one");
    require(largest_long_rpc(at, 1000000) == 1000000, "a template");
    require(next_colour_rpc(any, colour::red) == colour::green, "a scoped enumeration");
    require(is_odd_rpc(any, 3) && !is_odd_rpc(any, 4), "bool");
    require(turn_rpc(any, {1, 2}) == std::complex<double>(-2, 1), "std::complex");
    require(third_rpc(any, 1) == 1.0L / 3, "long double");

    double twice = 0;
    shmemx_rpc_event_t event = scale_double_async(at_pe(real, pe), 2.5);
    require(shmemx_rpc_wait(&event, &twice) >= 0 && twice == 5.0, "f_async of a double");
    int three_times = 0;
    event = scale_int_async(at_pe(integer, pe), 7);
    require(shmemx_rpc_wait(&event, &three_times) >= 0 && three_times == 21, "f_async of an int");
    long double one_third = 0;
    event = shmemx_rpc_async(third, any, 2.0);
    require(shmemx_rpc_wait(&event, &one_third) >= 0 && one_third == 2.0L / 3, "a long double in an event");
    bool odd = false;
    event = shmemx_rpc_async(is_odd, any, 9);
    require(shmemx_rpc_wait(&event, &odd) >= 0 && odd, "bool in an event");
    event = shmemx_rpc_async(nothing, at);
    require(shmemx_rpc_wait(&event, nullptr) >= 0, "void in an event");
    require(shmemx_rpc_post(nothing, at) >= 0, "post");
}

int main() {
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    for (int pe = 0; pe < pes; pe++) call_each(pe);
    require(shmemx_rpc_team(SHMEM_TEAM_WORLD, nullptr, nothing, target) == 0, "a team");
    shmem_barrier_all();
    require(target[0] == 5L * pes, "calls are missing");
    shmem_finalize();
    return 0;
}
