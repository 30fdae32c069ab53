/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of the C++ library on cores without an operating system, in the form in which GCC's gthr.h expects them. All locks
   are words on which a thread polls. Before each further poll it calls sched_yield, which gives the core to the other
   threads of that core, if it has any. std::thread uses pthread_create, which not every machine has: a program that needs
   more than its machine has does not link.

   A thread does nothing at its end for std::notify_all_at_thread_exit and for the functions set_..._at_thread_exit. */
#ifndef GCC_GTHR_SKERRY_H
#define GCC_GTHR_SKERRY_H

#include <errno.h>
#include <sys/time.h>
#include <time.h>

#define __GTHREADS 1
#define __GTHREADS_CXX0X 1

#ifdef __cplusplus
extern "C" {
#endif

/* What a header of the C library may declare too has a name of its own here. */
extern int __gthread_library_yield(void) __asm__("sched_yield");
extern int __gthread_library_create(unsigned long *, const void *, void *(*)(void *), void *) __asm__("pthread_create");
extern int __gthread_library_join(unsigned long, void **) __asm__("pthread_join");
extern int __gthread_library_detach(unsigned long) __asm__("pthread_detach");
extern unsigned long __gthread_library_self(void) __asm__("pthread_self");

#ifdef __cplusplus
}
#endif

static inline int __gthread_active_p(void) {
    return 1;
}

static inline int __gthread_yield(void) {
    return __gthread_library_yield();
}

/* -- Mutexes: 0, or 1 if a thread holds it ------------------------------------------------------------------------- */

typedef unsigned __gthread_mutex_t;
#define __GTHREAD_MUTEX_INIT 0
#define __GTHREAD_MUTEX_INIT_FUNCTION(mutex) (*(mutex) = 0)

static inline int __gthread_mutex_destroy(__gthread_mutex_t *__mutex) {
    (void)__mutex;
    return 0;
}

static inline int __gthread_mutex_trylock(__gthread_mutex_t *__mutex) {
    return __atomic_exchange_n(__mutex, 1, __ATOMIC_ACQUIRE) ? EBUSY : 0;
}

static inline int __gthread_mutex_lock(__gthread_mutex_t *__mutex) {
    while (__gthread_mutex_trylock(__mutex) != 0) __gthread_yield();
    return 0;
}

static inline int __gthread_mutex_unlock(__gthread_mutex_t *__mutex) {
    __atomic_store_n(__mutex, 0, __ATOMIC_RELEASE);
    return 0;
}

/* Points of time are those of std::chrono::system_clock. */
typedef struct timespec __gthread_time_t;

static inline int __gthread_is_past(const __gthread_time_t *__end) {
    struct timeval __now;
    gettimeofday(&__now, 0);
    return __now.tv_sec > __end->tv_sec || (__now.tv_sec == __end->tv_sec && __now.tv_usec * 1000 >= __end->tv_nsec);
}

static inline int __gthread_mutex_timedlock(__gthread_mutex_t *__mutex, const __gthread_time_t *__end) {
    while (__gthread_mutex_trylock(__mutex) != 0) {
        if (__gthread_is_past(__end)) return ETIMEDOUT;
        __gthread_yield();
    }
    return 0;
}

/* -- Recursive mutexes --------------------------------------------------------------------------------------------- */

/* The thread that holds the mutex stores `owner`, its thread pointer, and `depth`. Only this thread finds its own pointer
   there, so the others may read the word at any time. */
typedef struct {
    __gthread_mutex_t mutex;
    unsigned depth;
    void *owner;
} __gthread_recursive_mutex_t;
#define __GTHREAD_RECURSIVE_MUTEX_INIT                                                                                 \
    { 0, 0, 0 }

static inline void *__gthread_own_pointer(void) {
    void *__pointer;
    __asm__("mv %0, tp" : "=r"(__pointer));
    return __pointer;
}

static inline int __gthread_recursive_mutex_destroy(__gthread_recursive_mutex_t *__mutex) {
    (void)__mutex;
    return 0;
}

/* Enters a mutex that the caller holds already. */
static inline int __gthread_recursive_mutex_enter(__gthread_recursive_mutex_t *__mutex) {
    if (__atomic_load_n(&__mutex->owner, __ATOMIC_RELAXED) != __gthread_own_pointer()) return 0;
    __mutex->depth++;
    return 1;
}

/* Returns RESULT. If it is 0, the caller has just taken the mutex. */
static inline int __gthread_recursive_mutex_taken(__gthread_recursive_mutex_t *__mutex, int __result) {
    if (__result == 0) {
        __atomic_store_n(&__mutex->owner, __gthread_own_pointer(), __ATOMIC_RELAXED);
        __mutex->depth = 1;
    }
    return __result;
}

static inline int __gthread_recursive_mutex_lock(__gthread_recursive_mutex_t *__mutex) {
    if (__gthread_recursive_mutex_enter(__mutex)) return 0;
    return __gthread_recursive_mutex_taken(__mutex, __gthread_mutex_lock(&__mutex->mutex));
}

static inline int __gthread_recursive_mutex_trylock(__gthread_recursive_mutex_t *__mutex) {
    if (__gthread_recursive_mutex_enter(__mutex)) return 0;
    return __gthread_recursive_mutex_taken(__mutex, __gthread_mutex_trylock(&__mutex->mutex));
}

static inline int __gthread_recursive_mutex_timedlock(__gthread_recursive_mutex_t *__mutex,
                                                      const __gthread_time_t *__end) {
    if (__gthread_recursive_mutex_enter(__mutex)) return 0;
    return __gthread_recursive_mutex_taken(__mutex, __gthread_mutex_timedlock(&__mutex->mutex, __end));
}

static inline int __gthread_recursive_mutex_unlock(__gthread_recursive_mutex_t *__mutex) {
    if (--__mutex->depth != 0) return 0;
    __atomic_store_n(&__mutex->owner, (void *)0, __ATOMIC_RELAXED);
    return __gthread_mutex_unlock(&__mutex->mutex);
}

/* -- Functions that run once --------------------------------------------------------------------------------------- */

/* 0: has not run; 1: runs; 2: has run. If the function ends by an exception, another call runs it again. */
typedef unsigned __gthread_once_t;
#define __GTHREAD_ONCE_INIT 0

static inline void __gthread_once_not_run(__gthread_once_t **__once) {
    if (*__once) __atomic_store_n(*__once, 0, __ATOMIC_RELEASE);
}

static inline int __gthread_once(__gthread_once_t *__once, void (*__function)(void)) {
    while (__atomic_load_n(__once, __ATOMIC_ACQUIRE) != 2) {
        unsigned __expected = 0;
        if (__atomic_compare_exchange_n(__once, &__expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            __gthread_once_t *__running __attribute__((__cleanup__(__gthread_once_not_run))) = __once;
            __function();
            __running = 0;
            __atomic_store_n(__once, 2, __ATOMIC_RELEASE);
        } else __gthread_yield();
    }
    return 0;
}

/* -- Values of threads: not supported ------------------------------------------------------------------------------ */

typedef unsigned __gthread_key_t;

static inline int __gthread_key_create(__gthread_key_t *__key, void (*__at_end)(void *)) {
    (void)__key;
    (void)__at_end;
    return EAGAIN;
}

static inline int __gthread_key_delete(__gthread_key_t __key) {
    (void)__key;
    return EINVAL;
}

static inline void *__gthread_getspecific(__gthread_key_t __key) {
    (void)__key;
    return 0;
}

static inline int __gthread_setspecific(__gthread_key_t __key, const void *__value) {
    (void)__key;
    (void)__value;
    return EINVAL;
}

/* -- Condition variables ------------------------------------------------------------------------------------------- */

/* The word counts the notifications. A waiter reads it while it holds the mutex, so it sees each notification that comes
   after it has given the mutex free. Every notification wakes all waiters, which the standard allows. */
typedef unsigned __gthread_cond_t;
#define __GTHREAD_COND_INIT 0
#define __GTHREAD_HAS_COND 1

static inline int __gthread_cond_destroy(__gthread_cond_t *__cond) {
    (void)__cond;
    return 0;
}

static inline int __gthread_cond_broadcast(__gthread_cond_t *__cond) {
    __atomic_fetch_add(__cond, 1, __ATOMIC_RELEASE);
    return 0;
}

static inline int __gthread_cond_signal(__gthread_cond_t *__cond) {
    return __gthread_cond_broadcast(__cond);
}

static inline int __gthread_cond_wait(__gthread_cond_t *__cond, __gthread_mutex_t *__mutex) {
    const unsigned __before = __atomic_load_n(__cond, __ATOMIC_RELAXED);
    __gthread_mutex_unlock(__mutex);
    while (__atomic_load_n(__cond, __ATOMIC_ACQUIRE) == __before) __gthread_yield();
    return __gthread_mutex_lock(__mutex);
}

/* The caller holds the mutex once. */
static inline int __gthread_cond_wait_recursive(__gthread_cond_t *__cond, __gthread_recursive_mutex_t *__mutex) {
    const unsigned __before = __atomic_load_n(__cond, __ATOMIC_RELAXED);
    __gthread_recursive_mutex_unlock(__mutex);
    while (__atomic_load_n(__cond, __ATOMIC_ACQUIRE) == __before) __gthread_yield();
    return __gthread_recursive_mutex_lock(__mutex);
}

static inline int __gthread_cond_timedwait(__gthread_cond_t *__cond, __gthread_mutex_t *__mutex,
                                           const __gthread_time_t *__end) {
    const unsigned __before = __atomic_load_n(__cond, __ATOMIC_RELAXED);
    int __result = 0;
    __gthread_mutex_unlock(__mutex);
    while (__result == 0 && __atomic_load_n(__cond, __ATOMIC_ACQUIRE) == __before)
        if (__gthread_is_past(__end)) __result = ETIMEDOUT;
        else __gthread_yield();
    __gthread_mutex_lock(__mutex);
    return __result;
}

/* -- Threads ------------------------------------------------------------------------------------------------------- */

typedef unsigned long __gthread_t;

static inline int __gthread_create(__gthread_t *__which, void *(*__function)(void *), void *__argument) {
    return __gthread_library_create(__which, 0, __function, __argument);
}

static inline int __gthread_join(__gthread_t __which, void **__result) {
    return __gthread_library_join(__which, __result);
}

static inline int __gthread_detach(__gthread_t __which) {
    return __gthread_library_detach(__which);
}

static inline int __gthread_equal(__gthread_t __one, __gthread_t __other) {
    return __one == __other;
}

static inline __gthread_t __gthread_self(void) {
    return __gthread_library_self();
}

#endif
