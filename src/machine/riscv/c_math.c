// SPDX-License-Identifier: BSD-3-Clause
// Functions of <math.h> that newlib 3.3 lacks on cores whose long double is larger than double (nexttoward), or that
// differ from the C standard there: fdim of infinities, hypotf of an infinity, nextafter of zeros, the sign of remquof's
// quotient, and tgamma at its poles. All are weak, because a program can define some of them itself.
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#pragma weak fdim
#pragma weak fdimf
#pragma weak hypotf
#pragma weak nextafter
#pragma weak nextafterf
#pragma weak nexttoward
#pragma weak nexttowardf
#pragma weak remquof
#pragma weak tgamma
#pragma weak tgammaf

double nexttoward(double from, long double to);
float nexttowardf(float from, long double to);

double fdim(double a, double b) {
    if (isnan(a) || isnan(b)) return a + b;
    return a > b ? a - b : 0;
}

float fdimf(float a, float b) {
    if (isnan(a) || isnan(b)) return a + b;
    return a > b ? a - b : 0;
}

// The squares of floats and their sum do not overflow as doubles.
float hypotf(float a, float b) {
    if (isinf(a) || isinf(b)) return INFINITY;
    const float root = (float)sqrt((double)a * a + (double)b * b);
    if (isinf(root)) errno = ERANGE;
    return root;
}

float remquof(float a, float b, int *quotient) {
    return (float)remquo(a, b, quotient); // the remainder of floats is a float
}

// -- The next number ---------------------------------------------------------------------------------------------------

// Returns the number next to `from`, which is not NaN. The bits of positive numbers, as integers, are in their order.
static double next(double from, int is_up) {
    int64_t bits;
    if (from == 0) return is_up ? 0x1p-1074 : -0x1p-1074;
    memcpy(&bits, &from, sizeof bits);
    bits += (from > 0) == is_up ? 1 : -1;
    memcpy(&from, &bits, sizeof bits);
    return from;
}

static float next_float(float from, int is_up) {
    int32_t bits;
    if (from == 0) return is_up ? 0x1p-149F : -0x1p-149F;
    memcpy(&bits, &from, sizeof bits);
    bits += (from > 0) == is_up ? 1 : -1;
    memcpy(&from, &bits, sizeof bits);
    return from;
}

// If both are equal, the result is `to`: a zero has the sign of `to`.
double nextafter(double from, double to) {
    if (isnan(from) || isnan(to)) return from + to;
    return from == to ? to : next(from, from < to);
}

float nextafterf(float from, float to) {
    if (isnan(from) || isnan(to)) return from + to;
    return from == to ? to : next_float(from, from < to);
}

double nexttoward(double from, long double to) {
    if (isnan(from) || isnan(to)) return from + (double)to;
    return from == to ? (double)to : next(from, from < to);
}

float nexttowardf(float from, long double to) {
    if (isnan(from) || isnan(to)) return from + (float)to;
    return from == to ? (float)to : next_float(from, from < to);
}

// -- The gamma function ------------------------------------------------------------------------------------------------

// exp(lgamma(x)) has an error that grows with lgamma(x). So numbers of moderate size are first moved to 1 to 2, where
// lgamma is small, by gamma(x + 1) = x * gamma(x). Results for integers up to 23 are exact.
#define MODERATE 30

double tgamma(double x) {
    double above = 1, below = 1; // factors of the result
    int sign = 1;
    if (x == 0) {
        errno = ERANGE;
        return 1 / x;
    }
    if (x < 0 && x == floor(x)) { // also minus infinity
        errno = EDOM;
        return NAN;
    }
    if (fabs(x) <= MODERATE) {
        for (; x > 2; above *= x) x--;
        for (; x < 1; x++) below *= x;
    }
    const double size = exp(lgamma_r(x, &sign)) * above / below;
    return sign < 0 ? -size : size;
}

float tgammaf(float x) {
    return (float)tgamma(x);
}
