// SPDX-License-Identifier: BSD-3-Clause
// With SKERRY_CHECK=1 a program whose threads all wait for each other ends with lines that say where; one that only waits long does not.
// The other library does not look.
// peer: no
// threads: 1 2 5
// timeout: 120
// An emulator's and the sanitizer's own threads might end a wait for all that is known.
// smp-16 has no threads of POSIX.
// skip: aarch64 tsan smp
#include "child.h"

#include <omp.h>
#include <pthread.h>

// A task that only ends when one that depends on it fulfills its event.
static void wait_for_own_event(void) {
#pragma omp parallel
#pragma omp single
    {
        int x = 0;
        omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event)
        x++;
#pragma omp task depend(in : x) firstprivate(event)
        omp_fulfill_event(event);
#pragma omp taskwait
    }
}

static void take_lock_twice(void) {
    static omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_set_lock(&lock);
}

// An iteration that says nothing.
static void await_silent_iteration(void) {
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 16; i++) {
#pragma omp ordered depend(sink : i - 1)
        if (i != 3) {
#pragma omp ordered depend(source)
        }
    }
}

static void in_section(void) {
#pragma omp critical(a)
    puts("");
}

static void nest_critical(void) {
#pragma omp parallel
    {
#pragma omp critical(a)
        in_section();
    }
}

static void *sleep_and_fulfill(void *given) {
    sleep(3);
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)given);
    return NULL;
}

// Nobody but a thread that OpenMP does not know can end this.
static void wait_for_other(void) {
    pthread_t other;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        pthread_create(&other, NULL, sleep_and_fulfill, (void *)(uintptr_t)event);
#pragma omp taskwait
    }
    pthread_join(other, NULL);
    puts("went on");
}

// One thread works for long.
static void wait_long(void) {
#pragma omp parallel
    {
#pragma omp single
        sleep(3);
    }
    puts("went on");
}

static const struct {
    const char *name;
    void (*run)(void);
    const char *routine; // that is named; NULL: it ends well
} cases[] = {{"event", wait_for_own_event, "GOMP_taskwait"},
             {"lock", take_lock_twice, "omp_set_lock"},
             {"silent", await_silent_iteration, "GOMP_doacross_wait"},
             {"critical", nest_critical, "GOMP_critical_name_start"},
             {"other", wait_for_other, NULL},
             {"long", wait_long, NULL}};

// Runs the case in a child process, and requires that the child ends as it must.
static void check(const char *name, const char *routine) {
    struct child child;
    child_run(&child, name, "SKERRY_CHECK=1");
    if (!routine) {
        REQUIRE(WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0 && strstr(child.output, "went on"),
                "%s: %x, %s", name, (unsigned)child.status, child.errors);
        return;
    }
    REQUIRE(WIFEXITED(child.status) && WEXITSTATUS(child.status) == 1 &&
                strstr(child.errors, "no other thread is left") && strstr(child.errors, routine),
            "%s: %x, %s", name, (unsigned)child.status, child.errors);
}

int main(int count, char **arguments) {
    const size_t all = sizeof cases / sizeof *cases;
    if (count > 1) {
        for (size_t i = 0; i < all; i++)
            if (!strcmp(arguments[1], cases[i].name)) cases[i].run();
        return 0;
    }
    // All cases run at the same time, because they mostly sleep.
    size_t started = 0, passed = 0;
    for (size_t i = 0; i < all; i++) {
        if (!strcmp(cases[i].name, "silent") && omp_get_max_threads() == 1) continue; // then nobody waits
        pid_t pid = fork();
        REQUIRE(pid >= 0, "no process");
        if (pid == 0) {
            check(cases[i].name, cases[i].routine);
            _exit(0);
        }
        started++;
    }
    for (int status; wait(&status) > 0;) passed += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    REQUIRE(passed == started, "%zu of %zu cases failed", started - passed, started);
    return 0;
}
