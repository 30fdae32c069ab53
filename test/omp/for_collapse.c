// SPDX-License-Identifier: BSD-3-Clause
// Collapsed loops: every pair and triple once, also when an inner loop is empty, depends on the outer one, or counts down.
#include "test.h"

static int seen[20][30][10];

static void check(const char *what, int a, int b, int c) {
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
            for (int k = 0; k < 10; k++) {
                int right = i < a && j < b && k < c;
                REQUIRE(seen[i][j][k] == right, "%s: %d %d %d ran %d times", what, i, j, k, seen[i][j][k]);
            }
    memset(seen, 0, sizeof seen);
}

static void rectangles(int a, int b, int c) {
#pragma omp parallel for collapse(3)
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) test_add(&seen[i][j][k], 1);
    check("static", a, b, c);
#pragma omp parallel for collapse(3) schedule(dynamic, 7)
    for (int i = a - 1; i >= 0; i--)
        for (int j = 0; j < b; j++)
            for (unsigned long k = 0; k < (unsigned long)c; k++) test_add(&seen[i][j][k], 1);
    check("dynamic", a, b, c);
#pragma omp parallel
    {
#pragma omp for collapse(2) schedule(guided) nowait
        for (long i = 0; i < a; i++)
            for (short j = (short)(b - 1); j >= 0; j--)
                for (int k = 0; k < c; k++) test_add(&seen[i][j][k], 1);
    }
    check("guided", a, b, c);
}

static void triangle(void) {
    int ran = 0;
    static int cells[40][40];
#pragma omp parallel for collapse(2) reduction(+ : ran)
    for (int i = 0; i < 40; i++)
        for (int j = i; j < 40; j++) {
            test_add(&cells[i][j], 1);
            ran++;
        }
    REQUIRE(ran == 820, "triangle: %d", ran);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            REQUIRE(cells[i][j] == (j >= i), "triangle: %d %d ran %d times", i, j, cells[i][j]);
}

int main(void) {
    rectangles(20, 30, 10);
    rectangles(1, 30, 10);
    rectangles(20, 0, 10);
    rectangles(3, 1, 0);
    rectangles(13, 17, 3);
    triangle();
    return 0;
}
