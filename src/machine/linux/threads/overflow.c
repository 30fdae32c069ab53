// SPDX-License-Identifier: BSD-3-Clause
// Writes a message if the stack of a worker (a thread of the OpenMP runtime) is full. After the message the signal
// SIGSEGV ends the program, as it would without the message. The signal handler that writes the message runs on a stack
// of its own. The handler is installed only if SIGSEGV has no other handler when the first worker begins. If the
// program installs a handler later, the program's handler replaces it.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

#define HANDLER_BYTES 16384 // bytes of the handler's stack beyond what the system needs to save

static bool is_installed;
static SKERRY_PER_THREAD uintptr_t stack_low;
static SKERRY_PER_THREAD size_t guard_bytes;
static SKERRY_PER_THREAD void *handler_stack;

// Returns true if the address is in the stack's guard pages, which are below the stack or are its lowest part.
static bool is_in_guard(uintptr_t address) {
    return stack_low && address >= stack_low - guard_bytes && address < stack_low + guard_bytes;
}

static void handle(int number, siginfo_t *information, void *context) {
    (void)context;
    if (information->si_code > 0 && is_in_guard((uintptr_t)information->si_addr))
        skerry_warn("libgomp: a thread's stack is full; OMP_STACKSIZE sets a larger size");
    // If an instruction has caused the signal, this instruction raises the signal again when the handler returns. Then
    // the default action ends the program. If a process has sent the signal, this handler must raise it again itself.
    signal(number, SIG_DFL);
    if (information->si_code <= 0) raise(number);
}

static void install(void) {
    struct sigaction now, own = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (sigaction(SIGSEGV, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL) return;
    is_installed = sigaction(SIGSEGV, &own, NULL) == 0;
}

void skerry_watch_stack(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    pthread_attr_t attributes;
    if (!is_installed || pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void *low;
    size_t bytes;
    pthread_attr_getstack(&attributes, &low, &bytes);
    pthread_attr_getguardsize(&attributes, &guard_bytes);
    pthread_attr_destroy(&attributes);
    long least = sysconf(_SC_MINSIGSTKSZ);
    stack_t stack = {.ss_size = HANDLER_BYTES + (least > 0 ? (size_t)least : 0)};
    stack.ss_sp = handler_stack = malloc(stack.ss_size);
    if (handler_stack && sigaltstack(&stack, NULL) == 0) stack_low = (uintptr_t)low;
}

void skerry_forget_stack(void) {
    if (!stack_low) return;
    stack_low = 0;
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(handler_stack);
}
