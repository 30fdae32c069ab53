// SPDX-License-Identifier: BSD-3-Clause
// The C++ overloads resolve to the right routine with the right arguments: every pattern for every type (written by
// make_generic_test.py), and here what is C++'s own. No library is linked: see record.h.
#include <complex>
#include <type_traits>
#include <vector>

#include <shmem.h>

#include "record.h"

void check_every_overload(void);

namespace {

template <typename Pointer> Pointer pointer(int place) {
    return static_cast<Pointer>(mark(place));
}
const shmem_ctx_t ctx = pointer<shmem_ctx_t>(0);
const shmem_team_t team = pointer<shmem_team_t>(0);

void names_that_are_routines_too() {
    shmem_sync(40, 41, 42, pointer<long *>(3));
    EXPECT("shmem_sync", int, 4);
    shmem_signal_add(pointer<uint64_t *>(0), 41, 42);
    EXPECT("shmem_signal_add", int, 3);
    shmem_signal_set(pointer<uint64_t *>(0), 41, 42);
    EXPECT("shmem_signal_set", int, 3);
    void (*sync_routine)(int, int, int, long *) = shmem_sync;
    sync_routine(40, 41, 42, pointer<long *>(3));
    EXPECT("shmem_sync", int, 4);
    int (*sync_team)(shmem_team_t) = shmem_sync;
    EXPECT_NUMBER(RESULT, sync_team(team));
    EXPECT("shmem_team_sync", int, 1);
}

template <typename Number, typename Same> void complex_numbers() {
    Number *dest = pointer<Number *>(1);
    const Number *source = pointer<Number *>(2);
    EXPECT_NUMBER(RESULT, shmem_sum_reduce(team, dest, source, 43));
    EXPECT("shmem_TYPENAME_sum_reduce", Same, 4);
    EXPECT_NUMBER(RESULT, shmem_prod_reduce(team, dest, source, 43));
    EXPECT("shmem_TYPENAME_prod_reduce", Same, 4);
    EXPECT_NUMBER(RESULT, shmem_sum_inscan(team, dest, pointer<Number *>(2), 43));
    EXPECT("shmem_TYPENAME_sum_inscan", Same, 4);
    EXPECT_NUMBER(RESULT, shmem_sum_exscan(team, dest, source, 43));
    EXPECT("shmem_TYPENAME_sum_exscan", Same, 4);
}

void a_value_never_selects() {
    shmem_p(pointer<char *>(0), 41ULL, 42);
    EXPECT("shmem_TYPENAME_p", char, 3);
    shmem_p(pointer<long *>(0), 41.0F, 42);
    EXPECT("shmem_TYPENAME_p", long, 3);
    shmem_p(ctx, pointer<unsigned char *>(1), 42, 43);
    EXPECT("shmem_ctx_TYPENAME_p", unsigned char, 4);
    (void)shmem_atomic_compare_swap(ctx, pointer<long *>(1), 42U, short(43), 44);
    EXPECT("shmem_ctx_TYPENAME_atomic_compare_swap", long, 5);
    shmem_wait_until(pointer<unsigned long *>(0), 41, 42);
    EXPECT("shmem_TYPENAME_wait_until", unsigned long, 3);
}

} // namespace

// Whether a routine takes pointers to T: a wrong type must not be taken for another. Never called, so never defined.
template <typename T> auto can_put(T *object) -> decltype(shmem_put(object, object, 1, 0), std::true_type());
std::false_type can_put(...);
template <typename T>
auto can_sum(T *object) -> decltype(shmem_sum_reduce(SHMEM_TEAM_INVALID, object, object, 1), std::true_type());
std::false_type can_sum(...);
template <typename T> auto can_and(T *object) -> decltype(shmem_atomic_and(object, 1, 0), std::true_type());
std::false_type can_and(...);

namespace {

struct Point {
    double x, y;
};

static_assert(decltype(can_put(static_cast<long *>(nullptr)))::value, "");
static_assert(!decltype(can_put(static_cast<const long *>(nullptr)))::value, "");
static_assert(!decltype(can_put(static_cast<void *>(nullptr)))::value, "");
static_assert(!decltype(can_put(static_cast<bool *>(nullptr)))::value, "");
static_assert(!decltype(can_put(static_cast<Point *>(nullptr)))::value, "");
static_assert(!decltype(can_put(static_cast<std::complex<double> *>(nullptr)))::value, "");
static_assert(decltype(can_sum(static_cast<std::complex<double> *>(nullptr)))::value, "");
static_assert(!decltype(can_sum(static_cast<std::complex<long double> *>(nullptr)))::value, "");
static_assert(!decltype(can_sum(static_cast<Point *>(nullptr)))::value, "");
static_assert(!decltype(can_sum(static_cast<std::vector<double> *>(nullptr)))::value, "");
static_assert(decltype(can_and(static_cast<int64_t *>(nullptr)))::value, "");
static_assert(!decltype(can_and(static_cast<double *>(nullptr)))::value, "");

// Templates over the element type are what the overloads are for.
template <typename T> void exchange() {
    T *dest = pointer<T *>(0);
    EXPECT_NUMBER(RESULT, static_cast<long>(shmem_g(dest, 41)));
    EXPECT("shmem_TYPENAME_g", T, 2);
    static_assert(std::is_same<decltype(shmem_g(dest, 41)), T>::value, "shmem_g returns the type");
}

} // namespace

int main() {
    check_every_overload();
    names_that_are_routines_too();
    complex_numbers<std::complex<double>, double _Complex>();
    complex_numbers<std::complex<float>, float _Complex>();
    a_value_never_selects();
    exchange<signed char>();
    exchange<long double>();
    exchange<size_t>();
    return outcome("overload_test");
}
