// SPDX-License-Identifier: BSD-3-Clause
// The functions of <cmath> since C++11, for float, double and integers. Prints a line for each result: the function, the
// error that is allowed, in units of the last place, and the bits. cxx_math.py compares the lines with those of the host.
#include <math.h> // first: the names in the global namespace are overloaded too

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <type_traits>

namespace {

// Volatile, so that the compiler does not compute the results.
volatile double values[] = {0.0,  -0.0,  0.5,     -0.75, 1.0,      2.5,       -1.5, 3.7,
                            10.0, 1e-10, -120.25, -3.0,  INFINITY, -INFINITY, NAN};
constexpr int finite = 12;
constexpr int all = 15;

void show(const char *name, unsigned error, double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    if (std::isnan(value)) bits = 0x7ff8000000000000; // the sign and the payload are not specified
    std::printf("%s %u %08x%08x\n", name, error, static_cast<unsigned>(bits >> 32), static_cast<unsigned>(bits));
}

void show(const char *name, unsigned error, float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    if (std::isnan(value)) bits = 0x7fc00000;
    std::printf("%s %u %08x\n", name, error, static_cast<unsigned>(bits));
}

void show_integer(const char *name, long long value) {
    std::printf("%s 0 %lld\n", name, value);
}

#define SAME(EXPRESSION, ...) static_assert(std::is_same<decltype(EXPRESSION), __VA_ARGS__>::value, #EXPRESSION)

#define ONE(NAME, ERROR)                                                                                               \
    do {                                                                                                               \
        SAME(std::NAME(1.0F), float);                                                                                  \
        SAME(std::NAME(1.0), double);                                                                                  \
        SAME(std::NAME(1), double);                                                                                    \
        SAME(::NAME(1.0F), float);                                                                                     \
        SAME(std::NAME(1.0L), long double);                                                                            \
        for (int i = 0; i < all; i++) {                                                                                \
            const double value = values[i];                                                                            \
            show(#NAME, ERROR, std::NAME(value));                                                                      \
            show(#NAME "f", ERROR, std::NAME(static_cast<float>(value)));                                              \
        }                                                                                                              \
        show(#NAME, ERROR, std::NAME(static_cast<int>(values[4])));                                                    \
    } while (false)

void test_one_argument() {
    ONE(acos, 1);
    ONE(asin, 1);
    ONE(atan, 1);
    ONE(cos, 1);
    ONE(sin, 1);
    ONE(tan, 1);
    ONE(acosh, 2);
    ONE(asinh, 2);
    ONE(atanh, 2);
    ONE(cosh, 2);
    ONE(sinh, 2);
    ONE(tanh, 2);
    ONE(exp, 1);
    ONE(exp2, 1);
    ONE(expm1, 1);
    ONE(log, 1);
    ONE(log10, 2);
    ONE(log1p, 1);
    ONE(log2, 2);
    ONE(logb, 0);
    ONE(cbrt, 2);
    ONE(sqrt, 0);
    ONE(fabs, 0);
    ONE(erf, 1);
    ONE(erfc, 4);
    ONE(lgamma, 8);
    ONE(tgamma, 64);
    ONE(ceil, 0);
    ONE(floor, 0);
    ONE(nearbyint, 0);
    ONE(rint, 0);
    ONE(round, 0);
    ONE(trunc, 0);
}

#define TWO(NAME, ERROR)                                                                                               \
    do {                                                                                                               \
        SAME(std::NAME(1.0F, 2.0F), float);                                                                            \
        SAME(std::NAME(1.0, 2.0), double);                                                                             \
        SAME(std::NAME(1, 2.0F), double);                                                                              \
        SAME(std::NAME(1.0F, 2.0), double);                                                                            \
        SAME(std::NAME(1.0F, 2), double);                                                                              \
        SAME(::NAME(1.0F, 2.0F), float);                                                                               \
        SAME(std::NAME(1.0L, 2.0F), long double);                                                                      \
        for (int i = 0; i < all; i++) {                                                                                \
            for (int k = 0; k < all; k++) {                                                                            \
                const double a = values[i], b = values[k];                                                             \
                show(#NAME, ERROR, std::NAME(a, b));                                                                   \
                show(#NAME "f", ERROR, std::NAME(static_cast<float>(a), static_cast<float>(b)));                       \
            }                                                                                                          \
        }                                                                                                              \
        show(#NAME, ERROR, std::NAME(static_cast<int>(values[8]), static_cast<float>(values[5])));                     \
    } while (false)

void test_two_arguments() {
    TWO(atan2, 1);
    TWO(copysign, 0);
    TWO(fdim, 0);
    TWO(fmax, 0);
    TWO(fmin, 0);
    TWO(fmod, 0);
    TWO(hypot, 1);
    TWO(nextafter, 0);
    TWO(pow, 1);
    TWO(remainder, 0);
}

#define TO_INTEGER(NAME, TYPE)                                                                                         \
    do {                                                                                                               \
        SAME(std::NAME(1.0F), TYPE);                                                                                   \
        SAME(std::NAME(1), TYPE);                                                                                      \
        for (int i = 0; i < finite; i++) {                                                                             \
            const double value = values[i];                                                                            \
            if (value == 0) continue; /* ilogb(0) differs */                                                           \
            show_integer(#NAME, std::NAME(value));                                                                     \
            show_integer(#NAME "f", std::NAME(static_cast<float>(value)));                                             \
        }                                                                                                              \
        show_integer(#NAME, std::NAME(static_cast<int>(values[8])));                                                   \
    } while (false)

void test_integers() {
    TO_INTEGER(ilogb, int);
    TO_INTEGER(lrint, long);
    TO_INTEGER(lround, long);
    TO_INTEGER(llrint, long long);
    TO_INTEGER(llround, long long);
}

#define CLASS(NAME)                                                                                                    \
    for (int i = 0; i < all; i++) {                                                                                    \
        SAME(std::NAME(1.0F), bool);                                                                                   \
        const double value = values[i];                                                                                \
        show_integer(#NAME, std::NAME(value) + 2 * std::NAME(static_cast<float>(value)));                              \
    }

#define COMPARISON(NAME)                                                                                               \
    for (int i = 0; i < all; i++)                                                                                      \
        for (int k = 0; k < all; k++) {                                                                                \
            const double a = values[i], b = values[k];                                                                 \
            show_integer(#NAME, std::NAME(a, b) + 2 * std::NAME(static_cast<float>(a), b) + 4 * std::NAME(3, b));      \
        }

void test_classes() {
    CLASS(isfinite)
    CLASS(isinf)
    CLASS(isnan)
    CLASS(isnormal)
    CLASS(signbit)
    COMPARISON(isgreater)
    COMPARISON(isgreaterequal)
    COMPARISON(isless)
    COMPARISON(islessequal)
    COMPARISON(islessgreater)
    COMPARISON(isunordered)
    const int kinds[] = {FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL};
    for (int i = 0; i < all; i++)
        for (int kind = 0; kind < 5; kind++)
            show_integer("fpclassify", std::fpclassify(static_cast<double>(values[i])) == kinds[kind]);
}

// Functions with arguments of several types.
template <typename T> void test_others() {
    SAME(std::fma(T(1), T(2), T(3)), T);
    SAME(std::fma(1, T(2), 3), double);
    SAME(std::remquo(T(1), T(2), nullptr), T);
    SAME(std::scalbn(T(1), 2), T);
    SAME(std::nexttoward(T(1), 2.0L), T);
    for (int i = 0; i < finite; i++) {
        const T value = static_cast<T>(values[i]);
        show("fma", 0, std::fma(value, value, static_cast<T>(values[7])));
        show("scalbn", 0, std::scalbn(value, 5));
        show("scalbln", 0, std::scalbln(value, -3L));
        show("ldexp", 0, std::ldexp(value, 7));
        int exponent = 0;
        show("frexp", 0, std::frexp(value, &exponent));
        show_integer("frexp", exponent);
        T whole = 0;
        show("modf", 0, std::modf(value, &whole));
        show("modf", 0, whole);
        int quotient = 0;
        show("remquo", 0, std::remquo(value, T(0.75), &quotient));
        show_integer("remquo", quotient % 8);
        for (const long double to : {0.0L, -1.0L, 1e-40L, 1.0L + 1e-18L, 2.5L, 1e30L, -HUGE_VALL})
            show("nexttoward", 0, std::nexttoward(value, to));
        show("abs", 0, std::abs(value));
    }
}

void test_complex() {
    const std::complex<double> z(values[5], values[3]);
    for (const auto &result : {std::acosh(z), std::asin(z), std::proj(z), std::exp(z), std::pow(z, 3)}) {
        show("complex", 16, result.real());
        show("complex", 16, result.imag());
    }
    show("complex", 4, std::abs(z));
    show("complex", 4, std::arg(static_cast<float>(values[6])));
}

void test_random() {
    std::mt19937 generator(17);
    std::poisson_distribution<> poisson(40);
    std::binomial_distribution<> binomial(100, 0.3);
    std::gamma_distribution<> gamma(3);
    std::normal_distribution<float> normal;
    for (int i = 0; i < 20; i++) {
        show_integer("poisson", poisson(generator));
        show_integer("binomial", binomial(generator));
        show("gamma", 64, gamma(generator));
        show("normal", 64, normal(generator));
    }
}

} // namespace

int main() {
    test_one_argument();
    test_two_arguments();
    test_integers();
    test_classes();
    test_others<float>();
    test_others<double>();
    test_complex();
    test_random();
    static_assert(sizeof(std::float_t) <= sizeof(std::double_t), "the types of evaluation");
    show("nan", 0, std::nan(""));
    show("nan", 0, std::nanf(""));
    show("fma", 0, std::fma(static_cast<int>(values[4]), 2.5F, 3));
#if __cplusplus >= 201703L
    show("hypot", 2, std::hypot(static_cast<double>(values[5]), 2, 3.0F));
    show("beta", 64, std::beta(static_cast<double>(values[5]), 3));
    show("riemann_zeta", 64, std::riemann_zeta(static_cast<double>(values[5])));
#endif
#if __cplusplus >= 202002L
    show("lerp", 0, std::lerp(static_cast<double>(values[5]), 4, 0.25F));
#endif
}
