// SPDX-License-Identifier: BSD-3-Clause
// Functions whose arguments do not fit in the registers that a call sends, one for each WRONG: oshcc refuses them. Those of
// WRONG 0 fit.
#include <shmemx.h>
#include <stdbool.h>

typedef long number;
struct pair {
    int first, second;
};
enum colour { RED, GREEN };

#ifdef __riscv
#define MORE , int seventh, int eighth // two registers more than on x86-64
#define MORE_NAMES , seventh, eighth
#elif defined(__aarch64__)
#define MORE , long seventh, long eighth
#define MORE_NAMES , seventh, eighth
#else
#define MORE
#define MORE_NAMES
#endif

#if WRONG == 1
static int f(const int *p, int a, int b, int c, int d, int e, int last MORE) {
    return *p + a + b + c + d + e + last;
}
#elif WRONG == 2
static bool f(struct pair *p, bool a, enum colour b, char c, unsigned short d, struct pair *e,
              int (*last)(int, int) MORE) {
    return p == e && a && b == RED && c && d && last;
}
#elif WRONG == 3
static double f(double *p, double a, double b, double c, double d, double e, double g, double h, float i, float last) {
    return *p + a + b + c + d + e + g + h + i + last;
}
#elif WRONG == 4
static int f(const char *p, ...) {
    return *p;
}
#elif WRONG == 5
static long f(long *p, size_t a, int64_t b, uint8_t c, int *d, void **e, const volatile int last MORE) {
    return *p + (long)a + (long)b + c + *d + !*e + last;
}
#else
static double f(double *p, double a, int b, double c, const int *d, double e, long g, double h, struct pair i,
                number j) {
    return *p + a + b + c + *d + e + (double)g + h + i.first + (double)j;
}
static int no_parameters(void) {
    return 0;
}
RPC(no_parameters)
#endif
RPC(f)

#if WRONG == 6
static int add(int *p, int a, int b, int c, int d, int e, int last MORE) {
    return *p + a + b + c + d + e + last;
}
RPC_ASYNC(add, (int *p, int a, int b, int c, int d, int e, int last MORE), (p, a, b, c, d, e, last MORE_NAMES))
#endif
