// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls, public part: work goes to the data (Ross and Richie 2018). Included by shmemx.h.
//     float dotprod(float *a, float *b, int n) { a = localize(a), b = localize(b); ... }
//     RPC(dotprod)
//     float r = dotprod_rpc(shmem_ptr(A, 1), shmem_ptr(B, 1), n);     // runs on PE 1
#ifndef SKERRY_RPC_RPC_H
#define SKERRY_RPC_RPC_H

#include "../machine/call.h"

// How a call ended.
enum {
    SHMEMX_RPC_SERVED = 0,        // the PE of its first argument has run it
    SHMEMX_RPC_RUN_BY_CALLER = 1, // this PE has, by remote access, or because the data is its own
    SHMEMX_RPC_GONE = -1,         // not run: that PE has left the job
    SHMEMX_RPC_REFUSED = -2,      // not run: the queue was full, and shmemx_rpc_when_full says so; or no event was free
    SHMEMX_RPC_UNKNOWN = -3       // not run: that PE has no such function
};

// Classes of calls, served in this order. Calls of SHMEMX_RPC_BACKGROUND interrupt nobody.
enum { SHMEMX_RPC_URGENT, SHMEMX_RPC_NORMAL, SHMEMX_RPC_BACKGROUND, SHMEMX_RPC_NONE };

// What becomes of a call that finds the queue full: the caller runs it, waits for room, or is told.
enum { SHMEMX_RPC_RUN, SHMEMX_RPC_WAIT, SHMEMX_RPC_REFUSE };

// How a PE that computes is made to serve calls: not at all, by a signal, by a thread of its own.
enum { SHMEMX_RPC_ONLY_WAITING, SHMEMX_RPC_BY_SIGNAL, SHMEMX_RPC_BY_THREAD };

// Largest block of RPC_BLOCK. A machine may have less.
#ifndef SHMEMX_RPC_BLOCK_BYTES
#define SHMEMX_RPC_BLOCK_BYTES 4096
#endif

// How many asynchronous calls of a PE may be under way.
#ifndef SHMEMX_RPC_EVENTS
#define SHMEMX_RPC_EVENTS 1024
#endif

// How many calls and blocks may wait for a PE, where that is settled when the program is built; elsewhere see SKERRY_RPC_DEPTH.
#ifndef SHMEMX_RPC_DEPTH
#define SHMEMX_RPC_DEPTH(calls)
#define SHMEMX_RPC_BLOCKS(blocks)
#endif

// An asynchronous call under way. Ended by the wait or test that reports it.
typedef struct shmemx_rpc_event {
    uint32_t number; // 0: none
} shmemx_rpc_event_t;
#define SHMEMX_RPC_EVENT_NONE                                                                                          \
    { 0 }

// Of this PE, since the start. Threads that call at the same moment may count one less.
typedef struct shmemx_rpc_counters {
    unsigned long sent;          // calls that this PE has put into queues of others
    unsigned long run_by_caller; // calls that this PE has run itself because a queue was full
    unsigned long refused;       // calls that were not run
    unsigned long interrupting;  // interrupts that its calls have raised
    unsigned long served;        // calls of others that this PE has run
    unsigned long interrupted;   // of them, those that have interrupted the program
} shmemx_rpc_counters_t;

// -- Functions ---------------------------------------------------------------------------------------------------------

// RPC(f), after the definition of f: f_rpc, which is called like f.
// RPC_BLOCK(f), for f(T *target, const void *block, size_t bytes, ...): the same, and the block goes with the call by value.
// RPC_ASYNC(f, (parameters), (their names)): also f_async, which returns an event, and f_post, which wants no reply.
#define RPC(f) SKERRY_RPC_FUNCTION(f, 0)
#define RPC_BLOCK(f) SKERRY_RPC_FUNCTION(f, 1)
#define RPC_ASYNC(f, parameters, names)                                                                                \
    RPC(f)                                                                                                             \
    __attribute__((unused)) static inline shmemx_rpc_event_t f##_async parameters {                                    \
        SKERRY_RPC_KEEP(f, names);                                                                                     \
        return skerry_rpc_async(SKERRY_RPC_KIND(f names), SKERRY_RPC_BYTES(f names));                                  \
    }                                                                                                                  \
    __attribute__((unused)) static inline int f##_post parameters {                                                    \
        SKERRY_RPC_KEEP(f, names);                                                                                     \
        return skerry_rpc_post();                                                                                      \
    }

// The same for every RPC(f), as shmemx_rpc_async(f, arguments...).
#define shmemx_rpc_async(f, ...)                                                                                       \
    (SKERRY_RPC_KEEP(f, (__VA_ARGS__)),                                                                                \
     skerry_rpc_async(SKERRY_RPC_KIND(f(__VA_ARGS__)), SKERRY_RPC_BYTES(f(__VA_ARGS__))))
#define shmemx_rpc_post(f, ...) (SKERRY_RPC_KEEP(f, (__VA_ARGS__)), skerry_rpc_post())

// Calls f on every PE of a team, the first argument, a symmetric address, being each PE's own; waits for all. results: NULL,
// or an array with an element for each PE of the team. Value: 0, or the first status below 0.
#define shmemx_rpc_team(team, results, f, ...)                                                                         \
    (SKERRY_RPC_KEEP(f, (__VA_ARGS__)),                                                                                \
     skerry_rpc_team(team, results, SKERRY_RPC_KIND(f(__VA_ARGS__)), SKERRY_RPC_BYTES(f(__VA_ARGS__))))

// A near pointer as this PE's own short address; any other as it is.
#define shmemx_localize(pointer) ((__typeof__(pointer))skerry_rpc_localize(pointer))
#ifndef SHMEMX_NO_SHORT_NAMES
#define localize(pointer) shmemx_localize(pointer)
#endif

// -- What stands behind them -------------------------------------------------------------------------------------------

#ifndef SKERRY_CALLS_BY_MACHINE
SKERRY_ALWAYS_INLINE void *skerry_rpc_localize(const volatile void *pointer) {
    uintptr_t at = (uintptr_t)pointer;
    bool near = at >> SKERRY_PARTITION_SHIFT == skerry_partition(skerry_my_pe()) >> SKERRY_PARTITION_SHIFT;
    return near ? skerry_localize(pointer) : (void *)at;
}
#endif

#ifdef __cplusplus
extern "C++" {
template <typename T> struct skerry_rpc_kind {
    static constexpr int value = __is_class(T) || __is_union(T) ? SKERRY_CALL_OTHER : SKERRY_CALL_INTEGER;
    static constexpr size_t bytes = sizeof(T);
};
template <> struct skerry_rpc_kind<void> {
    static constexpr int value = SKERRY_CALL_NOTHING;
    static constexpr size_t bytes = 0;
};
#define SKERRY_RPC_LIST(TYPE, KIND)                                                                                    \
    template <> struct skerry_rpc_kind<TYPE> {                                                                         \
        static constexpr int value = KIND;                                                                             \
        static constexpr size_t bytes = sizeof(TYPE);                                                                  \
    };
SKERRY_RPC_LIST(float, SKERRY_CALL_REAL)
SKERRY_RPC_LIST(double, SKERRY_CALL_REAL)
SKERRY_RPC_LIST(long double, SKERRY_CALL_LONG_REAL)
SKERRY_RPC_LIST(__complex__ float, SKERRY_CALL_COMPLEX)
SKERRY_RPC_LIST(__complex__ double, SKERRY_CALL_COMPLEX)
SKERRY_RPC_LIST(__complex__ long double, SKERRY_CALL_COMPLEX)
#ifdef __SIZEOF_FLOAT128__
SKERRY_RPC_LIST(__float128, SKERRY_CALL_REAL)
#endif
#undef SKERRY_RPC_LIST

// Whether a call travels in registers, as far as C++ can tell: what it refuses would be on the stack, or a pointer to it.
template <typename T, bool is_struct = __is_class(T) || __is_union(T)> struct skerry_rpc_argument {
    static constexpr int kind = skerry_rpc_kind<T>::value;
    static constexpr bool fits = kind != SKERRY_CALL_LONG_REAL || SKERRY_CALL_STACKED(kind, sizeof(T)) == 0;
    static constexpr size_t integers = kind == SKERRY_CALL_INTEGER ? (sizeof(T) + 7) / 8 : 0;
    static constexpr size_t reals = kind == SKERRY_CALL_INTEGER ? 0 : 1;
};
template <typename T> struct skerry_rpc_argument<T, true> {
    static constexpr bool fits = __is_trivially_copyable(T) && sizeof(T) <= SKERRY_CALL_STRUCT_BYTES;
    static constexpr size_t integers = 0, reals = 0; // which, only the convention knows
};
template <typename T> struct skerry_rpc_argument<T &, false> {
    static constexpr bool fits = true;
    static constexpr size_t integers = 1, reals = 0;
};
template <typename T> struct skerry_rpc_argument<T &&, false> : skerry_rpc_argument<T &, false> {};
template <> struct skerry_rpc_argument<void, false> { static constexpr bool fits = true; };
template <typename... Rest> struct skerry_rpc_arguments {
    static constexpr bool fit = true;
    static constexpr size_t integers = 0, reals = 0;
};
template <typename First, typename... Rest> struct skerry_rpc_arguments<First, Rest...> {
    static constexpr bool fit = skerry_rpc_argument<First>::fits && skerry_rpc_arguments<Rest...>::fit;
    static constexpr size_t integers = skerry_rpc_argument<First>::integers + skerry_rpc_arguments<Rest...>::integers;
    static constexpr size_t reals = skerry_rpc_argument<First>::reals + skerry_rpc_arguments<Rest...>::reals;
};
template <typename Result, typename... Arguments> constexpr bool skerry_rpc_travels(Result (*)(Arguments...)) {
    return skerry_rpc_arguments<Arguments...>::fit && skerry_rpc_arguments<Arguments...>::reals <= 8 &&
           skerry_rpc_arguments<Arguments...>::integers <= SKERRY_CALL_INTEGERS &&
           (skerry_rpc_kind<Result>::value != SKERRY_CALL_OTHER || skerry_rpc_argument<Result>::fits);
}
#define SKERRY_RPC_REQUIRE(f)                                                                                          \
    static_assert(skerry_rpc_travels(f), #f ": RPC carries arguments and results that travel in registers");
}
#define SKERRY_RPC_KIND(call) skerry_rpc_kind<decltype(call)>::value
#define SKERRY_RPC_BYTES(call) skerry_rpc_kind<decltype(call)>::bytes
#else
#define SKERRY_RPC_IS(call, TYPE) __builtin_types_compatible_p(__typeof__(call), TYPE)
// Classes of types, as the compiler numbers them: 1 to 7 integers and pointers, 8 real, 9 complex, structs from 12 on.
#define SKERRY_RPC_CLASS(call) __builtin_classify_type(*SKERRY_RPC_SOME(call))
#define SKERRY_RPC_SOME(call) __builtin_choose_expr(SKERRY_RPC_IS(call, void), (int *)0, (__typeof__(call) *)0)
#define SKERRY_RPC_KIND(call)                                                                                          \
    (SKERRY_RPC_IS(call, void)           ? SKERRY_CALL_NOTHING                                                         \
     : SKERRY_RPC_IS(call, long double)  ? SKERRY_CALL_LONG_REAL                                                       \
     : SKERRY_RPC_CLASS(call) == 8       ? SKERRY_CALL_REAL                                                            \
     : SKERRY_RPC_CLASS(call) == 9       ? SKERRY_CALL_COMPLEX                                                         \
     : SKERRY_RPC_CLASS(call) - 1U < 11U ? SKERRY_CALL_INTEGER                                                         \
                                         : SKERRY_CALL_OTHER)
#define SKERRY_RPC_BYTES(call) sizeof(__typeof__(call))
#define SKERRY_RPC_REQUIRE(f) // C does not tell the parts of a type
#endif

#define SKERRY_RPC_KEEP(f, arguments)                                                                                  \
    (SKERRY_CALL_NOTE(skerry_function_##f, SKERRY_RPC_KIND(f arguments), SKERRY_RPC_BYTES(f arguments)),               \
     (void)skerry_keep_##f arguments)

// The parts that hold code of the machine: the function's description, and two thunks that lead into the library. f_rpc
// calls; the other keeps function and arguments for the routine that is called next. A machine may have all of it itself.
#ifdef __cplusplus
#define SKERRY_RPC_ADDRESS(f) reinterpret_cast<void (*)(void)>(f)
#else
#define SKERRY_RPC_ADDRESS(f) ((void (*)(void))(f))
#endif
#ifndef SKERRY_RPC_FUNCTION
#define SKERRY_RPC_FUNCTION(f, BLOCK)                                                                                  \
    SKERRY_RPC_REQUIRE(f)                                                                                              \
    extern __typeof__(f) f##_rpc SKERRY_SYMBOL(#f "_rpc");                                                             \
    extern __typeof__(f) skerry_keep_##f SKERRY_SYMBOL("skerry_keep_" #f);                                             \
    extern struct skerry_function skerry_function_##f SKERRY_SYMBOL("skerry_function_" #f)                             \
        __attribute__((visibility("hidden")));                                                                         \
    __attribute__((used, visibility("hidden"))) struct skerry_function skerry_function_##f = {                         \
        SKERRY_RPC_ADDRESS(f), #f, __FILE__, 0, BLOCK, 0, 0};                                                          \
    __attribute__((constructor)) static void skerry_register_##f(void) {                                               \
        skerry_rpc_register(&skerry_function_##f);                                                                     \
    }                                                                                                                  \
    __attribute__((destructor)) static void skerry_unregister_##f(void) {                                              \
        skerry_rpc_unregister(&skerry_function_##f);                                                                   \
    }                                                                                                                  \
    SKERRY_THUNK(#f "_rpc", "skerry_function_" #f, SKERRY_RPC_ENTRY)                                                   \
    SKERRY_THUNK("skerry_keep_" #f, "skerry_function_" #f, "skerry_rpc_keep_entry")
#endif

// With checking every call is looked at, also those that turn out to be plain calls.
#ifdef SKERRY_CHECK
#define SKERRY_RPC_ENTRY "skerry_rpc_checked_entry"
#else
#define SKERRY_RPC_ENTRY "skerry_rpc_call_entry"
#endif

void skerry_rpc_register(struct skerry_function *function);
void skerry_rpc_unregister(struct skerry_function *function);
shmemx_rpc_event_t skerry_rpc_async(int kind, size_t bytes);
int skerry_rpc_post(void);
int skerry_rpc_team(shmem_team_t team, void *results, int kind, size_t bytes);

#endif
