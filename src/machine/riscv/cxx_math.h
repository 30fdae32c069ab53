// SPDX-License-Identifier: BSD-3-Clause
// The <math.h> that comes before the C library's one on machines with the C++ library. In C++ it declares the functions
// for long double that newlib does not have. libstdc++ wants to see all of C99's functions before it has any of them in
// namespace std (its macro _GLIBCXX_USE_C99_MATH_TR1, which its configuration leaves undefined here). So a program has
// std::round and the others for float and double. A call for long double compiles too, but does not link.
#include_next <math.h>

#if defined __cplusplus && !defined SKERRY_CXX_MATH
#define SKERRY_CXX_MATH
#ifndef _GLIBCXX_USE_C99_MATH_TR1
#define _GLIBCXX_USE_C99_MATH_TR1 1

extern "C" {

#define SKERRY_LONG_DOUBLE(NAME) long double NAME(long double)
SKERRY_LONG_DOUBLE(acoshl);
SKERRY_LONG_DOUBLE(asinhl);
SKERRY_LONG_DOUBLE(atanhl);
SKERRY_LONG_DOUBLE(cbrtl);
SKERRY_LONG_DOUBLE(erfcl);
SKERRY_LONG_DOUBLE(erfl);
SKERRY_LONG_DOUBLE(exp2l);
SKERRY_LONG_DOUBLE(expm1l);
SKERRY_LONG_DOUBLE(lgammal);
SKERRY_LONG_DOUBLE(log1pl);
SKERRY_LONG_DOUBLE(log2l);
SKERRY_LONG_DOUBLE(logbl);
SKERRY_LONG_DOUBLE(nearbyintl);
SKERRY_LONG_DOUBLE(rintl);
SKERRY_LONG_DOUBLE(roundl);
SKERRY_LONG_DOUBLE(tgammal);
SKERRY_LONG_DOUBLE(truncl);
#undef SKERRY_LONG_DOUBLE

#define SKERRY_LONG_DOUBLES(NAME) long double NAME(long double, long double)
SKERRY_LONG_DOUBLES(copysignl);
SKERRY_LONG_DOUBLES(fdiml);
SKERRY_LONG_DOUBLES(fmaxl);
SKERRY_LONG_DOUBLES(fminl);
SKERRY_LONG_DOUBLES(hypotl);
SKERRY_LONG_DOUBLES(nextafterl);
SKERRY_LONG_DOUBLES(nexttowardl);
SKERRY_LONG_DOUBLES(remainderl);
#undef SKERRY_LONG_DOUBLES

int ilogbl(long double);
long lrintl(long double);
long lroundl(long double);
long long llrintl(long double);
long long llroundl(long double);
long double fmal(long double, long double, long double);
long double nanl(const char *);
long double remquol(long double, long double, int *);
long double scalblnl(long double, long);
long double scalbnl(long double, int);

// Of Skerry's library (c_math.c).
double nexttoward(double, long double);
float nexttowardf(float, long double);
}

#endif
#endif
