// SPDX-License-Identifier: BSD-3-Clause
// Functions whose arguments or results do not travel in registers, one for each WRONG: the compiler refuses them. Those of
// WRONG 0 do.
#include <shmemx.h>
#include <string>
struct big {
    long a[3];
};
#if WRONG == 1
static long f(long *, long, long, long, long, long, long) {
    return 0;
}
#elif WRONG == 2
static long f(long *, std::string) {
    return 0;
}
#elif WRONG == 3
static big f(long *) {
    return {};
}
#elif WRONG == 4
static long f(long *, long double) {
    return 0;
}
#elif WRONG == 5
static long f(long *, big) {
    return 0;
}
#elif WRONG == 6
static long f(long *, double, double, double, double, double, double, double, double, double) {
    return 0;
}
#elif WRONG == 0
static long f(long *, __int128, long, const double &, float) noexcept {
    return 0;
}
#endif
RPC(f)

static void g(long &, big *, double, double, double, double, double, double, double, double) {
}
RPC(g)
