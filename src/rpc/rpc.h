// SPDX-License-Identifier: BSD-3-Clause
// Declares the public part of remote procedure calls. A call moves work to the data (Ross and Richie 2018): the
// function runs on the PE whose memory the first argument points to. Included by shmemx.h.
//     float dotprod(float *a, float *b, int n) { a = localize(a), b = localize(b); ... }
//     RPC(dotprod)
//     float r = dotprod_rpc(shmemx_global(A, 1), shmemx_global(B, 1), n);     // runs on PE 1
#ifndef SKERRY_RPC_RPC_H
#define SKERRY_RPC_RPC_H

#include "../machine/call.h"
#if SKERRY_CALL_RINGS
#include "ring/function.h"
#else
#include "queue/function.h"
#endif

// Status of a call. The target is the PE into whose memory the first argument points.
enum {
    SHMEMX_RPC_SERVED = 0,        // the target has run the call
    SHMEMX_RPC_RUN_BY_CALLER = 1, // the caller has run the call, by remote access or on its own data
    SHMEMX_RPC_GONE = -1,         // not run: the target has left the job
    SHMEMX_RPC_REFUSED = -2,      // not run: the queue was full (policy SHMEMX_RPC_REFUSE), or no event was free
    SHMEMX_RPC_UNKNOWN = -3       // not run: the target has no such function
};

// Classes of calls. A PE runs its waiting calls in the order in which their classes are listed here. Calls of class
// SHMEMX_RPC_BACKGROUND do not interrupt their target. SHMEMX_RPC_NONE is not a class: it ends deferral
// (shmemx_rpc_defer).
enum { SHMEMX_RPC_URGENT, SHMEMX_RPC_NORMAL, SHMEMX_RPC_BACKGROUND, SHMEMX_RPC_NONE };

// Policies for a call that finds the queue full: the caller runs the function, waits for a free slot, or gets
// SHMEMX_RPC_REFUSED.
enum { SHMEMX_RPC_RUN, SHMEMX_RPC_WAIT, SHMEMX_RPC_REFUSE };

// Ways to run calls on a PE that computes: not at all (only in its waits), by a signal, or by a separate thread.
enum { SHMEMX_RPC_ONLY_WAITING, SHMEMX_RPC_BY_SIGNAL, SHMEMX_RPC_BY_THREAD };

// Size in bytes of the largest block of data that RPC_BLOCK sends with a call. A machine can define a smaller size.
#ifndef SHMEMX_RPC_BLOCK_BYTES
#define SHMEMX_RPC_BLOCK_BYTES 4096
#endif

// Greatest number of asynchronous calls of a PE that can be under way at a time.
#ifndef SHMEMX_RPC_EVENTS
#define SHMEMX_RPC_EVENTS 1024
#endif

// SHMEMX_RPC_DEPTH sets the number of calls that can wait at a PE, and SHMEMX_RPC_BLOCKS sets the number of blocks of
// data. Both macros have an effect on a chip, where these numbers are fixed when the program is built. On other
// machines both macros do nothing, and the environment variable SKERRY_RPC_DEPTH sets the number of calls.
#ifndef SHMEMX_RPC_DEPTH
#define SHMEMX_RPC_DEPTH(calls)
#define SHMEMX_RPC_BLOCKS(blocks)
#endif

// An event: the program's handle for an asynchronous call. The handle is valid until a wait or a test has reported the
// end of the call.
typedef struct shmemx_rpc_event {
    uint32_t number; // 0: no call
} shmemx_rpc_event_t;
#define SHMEMX_RPC_EVENT_NONE                                                                                          \
    { 0 }

// Counters of this PE since its start. If two threads increment a counter at the same moment, one increment can be
// lost.
typedef struct shmemx_rpc_counters {
    unsigned long sent;          // calls that this PE has put into queues of other PEs
    unsigned long run_by_caller; // calls that this PE has run itself because a queue was full
    unsigned long refused;       // calls that were not run
    unsigned long interrupting;  // interrupts that this PE's calls have raised
    unsigned long served;        // calls of other PEs that this PE has run
    unsigned long interrupted;   // calls among `served` that interrupted this PE's program
} shmemx_rpc_counters_t;

// -- Functions ---------------------------------------------------------------------------------------------------------

// A program uses one of these macros after the definition of a function f:
// * RPC(f) defines f_rpc, which is called like f and runs f on the target.
// * RPC_BLOCK(f) is for a function f(T *target, const void *block, size_t bytes, ...): its f_rpc sends a copy of the
//   block with the call.
// * RPC_ASYNC(f, (parameters), (their names)) defines f_rpc like RPC(f), and two more functions. f_async begins a call
//   and returns an event. f_post sends a call without a reply.
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

// shmemx_rpc_async(f, arguments...) and shmemx_rpc_post(f, arguments...) do the same as f_async and f_post. Both can be
// used for each function f for which the program contains RPC(f).
#define shmemx_rpc_async(f, ...)                                                                                       \
    (SKERRY_RPC_KEEP(f, (__VA_ARGS__)),                                                                                \
     skerry_rpc_async(SKERRY_RPC_KIND(f(__VA_ARGS__)), SKERRY_RPC_BYTES(f(__VA_ARGS__))))
#define shmemx_rpc_post(f, ...) (SKERRY_RPC_KEEP(f, (__VA_ARGS__)), skerry_rpc_post())

// Calls f on every PE of a team and waits for all calls. The first argument is a symmetric address; each PE gets its
// own address of the same object. `results` is NULL, or an array with one element for each PE of the team. Returns 0,
// or the first status below 0.
#define shmemx_rpc_team(team, results, f, ...)                                                                         \
    (SKERRY_RPC_KEEP(f, (__VA_ARGS__)),                                                                                \
     skerry_rpc_team(team, results, SKERRY_RPC_KIND(f(__VA_ARGS__)), SKERRY_RPC_BYTES(f(__VA_ARGS__))))

// A global address names a PE and a byte. If `pointer` is a global address in this PE's memory, returns this PE's own
// address of the same byte. Returns any other pointer unchanged.
#define shmemx_localize(pointer) ((__typeof__(pointer))skerry_own_address(pointer))
#ifndef SHMEMX_NO_SHORT_NAMES
#define localize(pointer) shmemx_localize(pointer)
#endif

// -- Implementation of the macros --------------------------------------------------------------------------------------

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

// The templates from here to skerry_rpc_travels check that all arguments and the result of a function are passed in
// registers. Some cases cannot be determined by a template. skerry_rpc_argument describes one type. If its `fits` is
// false, the type would be passed on the stack, or by a pointer to the stack. `integers` and `reals` are the numbers of
// registers that the type takes.
template <typename T, bool is_struct = __is_class(T) || __is_union(T)> struct skerry_rpc_argument {
    static constexpr int kind = skerry_rpc_kind<T>::value;
    static constexpr bool fits = kind != SKERRY_CALL_LONG_REAL || SKERRY_CALL_STACKED(kind, sizeof(T)) == 0;
    static constexpr size_t integers = kind == SKERRY_CALL_INTEGER ? (sizeof(T) - 1) / sizeof(long) + 1 : 0;
    static constexpr size_t reals = kind == SKERRY_CALL_INTEGER ? 0 : 1;
};
template <typename T> struct skerry_rpc_argument<T, true> {
    static constexpr bool fits = __is_trivially_copyable(T) && sizeof(T) <= SKERRY_CALL_STRUCT_BYTES;
    static constexpr size_t integers = 0, reals = 0; // not known here: the calling convention decides
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
    return skerry_rpc_arguments<Arguments...>::fit && skerry_rpc_arguments<Arguments...>::reals <= SKERRY_CALL_REALS &&
           skerry_rpc_arguments<Arguments...>::integers <= SKERRY_CALL_INTEGERS &&
           (skerry_rpc_kind<Result>::value != SKERRY_CALL_OTHER || skerry_rpc_argument<Result>::fits);
}
#define SKERRY_RPC_REQUIRE(f)                                                                                          \
    static_assert(skerry_rpc_travels(f), #f ": RPC supports only arguments and results that are passed in registers");
}
#define SKERRY_RPC_KIND(call) skerry_rpc_kind<decltype(call)>::value
#define SKERRY_RPC_BYTES(call) skerry_rpc_kind<decltype(call)>::bytes
#else
#define SKERRY_RPC_IS(call, TYPE) __builtin_types_compatible_p(__typeof__(call), TYPE)
// Returns GCC's number for the kind of a type (__builtin_classify_type): 1 to 7 are integers and pointers, 8 is real, 9
// is complex, and numbers from 12 on are structs.
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
#define SKERRY_RPC_REQUIRE(f) // C cannot inspect the parts of a type; oshcc checks the parameters of f
#endif

#define SKERRY_RPC_KEEP(f, arguments)                                                                                  \
    (SKERRY_CALL_NOTE(skerry_function_##f, SKERRY_RPC_KIND(f arguments), SKERRY_RPC_BYTES(f arguments)),               \
     (void)skerry_keep_##f arguments)

shmemx_rpc_event_t skerry_rpc_async(int kind, size_t bytes);
int skerry_rpc_post(void);
int skerry_rpc_team(shmem_team_t team, void *results, int kind, size_t bytes);

#endif
