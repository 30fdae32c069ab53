// SPDX-License-Identifier: BSD-3-Clause
// Parameters narrower than a register that a loop changes. GCC 12 for Epiphany, unless it is mended (toolchain/epiphany.sh), keeps
// variables of such types zero-extended but parameters extended as their type says, and when both are one takes either for the other:
// a negative number becomes a large one.
static volatile int positions[3] = {2, 1, 0};
static volatile int wrong;

static __attribute__((noinline)) void compare(unsigned seen, int expected) {
    wrong += seen != (unsigned)expected;
}

static __attribute__((noinline)) int walk_short(short at) {
    for (int i = 0; i < (at & 3); i++) {
        compare((unsigned)at, i == 0 ? 10 : -990 - 1000 * (i - 1));
        at = (short)((unsigned)(i ? at : positions[0] + 8) - 1000U);
        compare((unsigned)at, -990 - 1000 * i);
    }
    return at;
}
int main(void) {
    compare((unsigned)walk_short(10), -1990);
    return wrong != 0;
}
