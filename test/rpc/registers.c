// SPDX-License-Identifier: BSD-3-Clause
// Whole vector registers, quadruple precision and structs that the calling convention passes in registers.
#include "rpc.h"

struct point {
    double x, y;
};
struct mixed {
    long number;
    double value;
};
struct pair {
    long first, second;
};
struct small {
    int a;
    char b;
};
typedef float four __attribute__((vector_size(16)));

static long target;

static struct point turn(void *at, struct point p) {
    (void)at;
    return (struct point){-p.y, p.x};
}
RPC(turn)

static struct mixed mix(void *at, struct mixed m, int by) {
    (void)at;
    return (struct mixed){m.number * by, m.value * by};
}
RPC(mix)

static struct pair swap(void *at, struct pair p) {
    (void)at;
    return (struct pair){p.second, p.first};
}
RPC(swap)

static struct small grow(void *at, struct small s) {
    (void)at;
    return (struct small){s.a + 1, (char)(s.b + 1)};
}
RPC(grow)

static four add(void *at, four a, four b) {
    (void)at;
    return a + b;
}
RPC(add)

#ifdef __SIZEOF_FLOAT128__
typedef __float128 quad;
#else
typedef long double quad; // the same on 64-bit Arm
#endif
static quad quarter(void *at, quad a, double b) {
    (void)at;
    return a / 4 + b;
}
RPC_ASYNC(quarter, (void *at, quad a, double b), (at, a, b))

static void call_each(int pe) {
    void *at = address_at(&target, pe);
    struct point p = turn_rpc(at, (struct point){1, 2});
    REQUIRE(p.x == -2 && p.y == 1, "two doubles: %g %g", p.x, p.y);
    struct mixed m = mix_rpc(at, (struct mixed){21, 1.25}, 2);
    REQUIRE(m.number == 42 && m.value == 2.5, "an integer and a double: %ld %g", m.number, m.value);
    struct pair s = swap_rpc(at, (struct pair){1, 2});
    REQUIRE(s.first == 2 && s.second == 1, "two integers");
    struct small g = grow_rpc(at, (struct small){7, 8});
    REQUIRE(g.a == 8 && g.b == 9, "a small struct");
    four v = add_rpc(at, (four){1, 2, 3, 4}, (four){10, 20, 30, 40});
    REQUIRE(v[0] == 11 && v[1] == 22 && v[2] == 33 && v[3] == 44, "a vector");
    quad third = (quad)1 / 3, got = 0;
    REQUIRE(quarter_rpc(at, third, 2) == third / 4 + 2, "quadruple precision");
    shmemx_rpc_event_t event = quarter_async(at, third, 2);
    shmemx_rpc_wait(&event, &got);
    REQUIRE(got == third / 4 + 2, "quadruple precision of an asynchronous call");
}

int main(void) {
    test_begin();
    for (int i = 0; i < pes; i++) call_each((me + i) % pes);
    return test_end();
}
