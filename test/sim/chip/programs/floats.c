// SPDX-License-Identifier: BSD-3-Clause
// A dot product of fused multiply-adds, divisions, conversions: the bits must be those of the host.
#include <math.h>
#include <stdio.h>
#include <string.h>

static float x[64], y[64];

static unsigned bits(float value) {
    unsigned result;
    memcpy(&result, &value, sizeof result);
    return result;
}

int main(void) {
    for (int k = 0; k < 64; k++) {
        x[k] = 0.5f + (float)k * 0.25f;
        y[k] = 1.0f / (float)(k + 1);
    }
    float dot = 0;
    float quotients = 0;
    for (int k = 0; k < 64; k++) dot = fmaf(x[k], y[k], dot);
    for (int k = 0; k < 64; k++) quotients += x[k] / y[k];
    printf("%08x %08x %d\n", bits(dot), bits(quotients), (int)dot);
    return 0;
}
