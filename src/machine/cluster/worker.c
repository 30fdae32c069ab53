// SPDX-License-Identifier: BSD-3-Clause
// Runs the workers, one on each core. Worker n is the only thread of core n of the job. A core without a function to run
// sleeps until another core gives it one and interrupts it. Its own code uses the small memory of the core as its stack;
// the worker's functions run on a stack in the shared memory.
#include "internal.h"

#include <string.h>

SKERRY_PER_THREAD int skerry_worker_number;

struct skerry_core skerry_cores[SKERRY_WORKERS_MAX];

// Number of the worker that the calling core has claimed for its next skerry_worker_start; 0: none.
static SKERRY_PER_THREAD int claimed;

// The linker script defines these symbols. The first two are the beginning and the end of the initial values of the
// thread-local variables. The addresses of the others are the size and the alignment of these variables, and the size of a
// stack if the user sets none.
extern const char skerry_tls_begin[], skerry_tls_initialized[], skerry_tls_size[], skerry_tls_alignment[],
    skerry_worker_stack_bytes[];

static size_t stack_bytes_now;     // 0: the user has not set it
static size_t stack_bytes_default; // 0: no thread has been started yet

// Bytes of the heap that stacks do not use, so that there is memory for the data of the thread's team.
#define HEAP_RESERVE ((size_t)64 << 10)

// Stacks are made smaller in such steps, down to the least size, if memory is short. The team of the threads takes memory too
// while they are started.
#define TEAM_RESERVE ((size_t)32 << 10)
#define STACK_BYTES_LEAST ((size_t)8 << 10)
#define STACK_BYTES_STEP ((size_t)1 << 10)

// -- Starting ----------------------------------------------------------------------------------------------------------

// Claims a free worker. Returns its number, or -1 if there is none.
static int claim(void) {
    for (int i = 1; i < skerry_cores_of_job; i++) {
        if (__atomic_load_n(&skerry_cores[i].busy, __ATOMIC_RELAXED)) continue;
        if (!__atomic_exchange_n(&skerry_cores[i].busy, 1, __ATOMIC_ACQUIRE)) return i;
    }
    return -1;
}

int skerry_worker_next(void) {
    if (claimed == 0) claimed = claim();
    return claimed;
}

// Returns the bytes of memory that a stack of `bytes` bytes takes, with the thread-local variables behind it.
static size_t bytes_with_variables(size_t bytes) {
    return bytes + 2 * SKERRY_BANKS_BYTES + (size_t)skerry_tls_alignment + (size_t)skerry_tls_size;
}

bool skerry_worker_take_stack(struct skerry_core *core, size_t bytes) {
    if (core->stack && core->stack_bytes == bytes) return true;
    skerry_memory_give(core->stack);
    const size_t alignment = (size_t)skerry_tls_alignment, all = bytes_with_variables(bytes);
    const bool fits = all > bytes && all <= SIZE_MAX - HEAP_RESERVE && skerry_memory_is_left(all + HEAP_RESERVE);
    core->stack = fits ? skerry_memory_take_large(all, alignment) : NULL;
    core->stack_bytes = bytes;
    return core->stack != NULL;
}

// Returns the size of a stack if the user sets none. When the first thread is started and there is not enough memory for
// stacks of the usual size on all cores, all get smaller ones: programs with large static arrays were written for a chip
// where each core has a thread.
static size_t default_stack_bytes(void) {
    size_t bytes = __atomic_load_n(&stack_bytes_default, __ATOMIC_RELAXED);
    if (bytes) return bytes;
    const size_t threads = (size_t)skerry_cores_of_job - 1;
    for (bytes = (size_t)skerry_worker_stack_bytes; bytes > STACK_BYTES_LEAST; bytes -= STACK_BYTES_STEP)
        if (skerry_memory_is_left(threads * bytes_with_variables(bytes) + HEAP_RESERVE + TEAM_RESERVE)) break;
    __atomic_store_n(&stack_bytes_default, bytes, __ATOMIC_RELAXED);
    return bytes;
}

int skerry_worker_start(skerry_worker_main *main, void *argument) {
    const int number = skerry_worker_next();
    claimed = 0;
    if (number < 0) return SKERRY_NO_CORE;
    struct skerry_core *core = &skerry_cores[number];
    if (!skerry_worker_take_stack(core, stack_bytes_now ? stack_bytes_now : default_stack_bytes())) {
        __atomic_store_n(&core->busy, 0, __ATOMIC_RELEASE);
        return SKERRY_NO_MEMORY;
    }
    core->main = main;
    core->argument = argument;
    __atomic_store_n(&core->start, core->start + 1, __ATOMIC_RELEASE);
    *core->interrupt = 1;
    return number;
}

bool skerry_worker_stack(size_t bytes) {
    const size_t rounded = (bytes + 63) & ~(size_t)63;
    if (rounded < bytes) return false;
    stack_bytes_now = rounded < 4096 ? 4096 : rounded;
    return true;
}

// -- Running -----------------------------------------------------------------------------------------------------------

// Tells the core the least stack pointer that it may have: skerry-sim stops a core whose stack pointer is lower. NULL: no
// limit.
static void limit_stack(const char *limit) {
    *(const char *volatile *)SKERRY_STACK_LIMIT_REGISTER = limit;
}

// Runs the worker's function. The calling core has switched to the worker's stack and thread-local variables.
static void run_on_stack(void *given) {
    const struct skerry_core *core = given;
    skerry_worker_number = (int)(core - skerry_cores);
    limit_stack(core->stack);
    core->main(core->argument);
    limit_stack(NULL);
}

// Workers often execute the same code at the same time. So the same word of two stacks, or of two workers' variables, lies
// in different banks, as far as the alignments allow: stack pointers are multiples of 16.
void *skerry_worker_set_variables(struct skerry_core *core) {
    const size_t worker = (size_t)(core - skerry_cores), alignment = (size_t)skerry_tls_alignment;
    char *const stack = core->stack + core->stack_bytes + 16 * worker % SKERRY_BANKS_BYTES;
    const uintptr_t behind = (uintptr_t)core->stack + core->stack_bytes + SKERRY_BANKS_BYTES + alignment - 1;
    char *const variables = (char *)((behind & ~(alignment - 1)) + alignment * worker % SKERRY_BANKS_BYTES);
    const size_t initialized = (size_t)(skerry_tls_initialized - skerry_tls_begin), size = (size_t)skerry_tls_size;
    memcpy(variables, skerry_tls_begin, initialized);
    memset(variables + initialized, 0, size - initialized);
    core->variables = variables;
    return stack;
}

void skerry_worker_run(struct skerry_core *core) {
    void *stack = skerry_worker_set_variables(core);
    skerry_call_on_stack(stack, core->variables, run_on_stack, core);
}

static void enable_software_interrupt(void) {
    const uint32_t software = 1u << 3;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrs mie, %0\n.option pop" : : "r"(software));
}

// The software interrupt is enabled in MIE but not in MSTATUS. So the interrupt ends the sleep (WFI), but the core calls no
// handler. The interrupt stays pending until this core clears it, and the core checks `start` after that. So no start is
// lost.
SKERRY_NORETURN void skerry_worker_loop(struct skerry_core *core) {
    enable_software_interrupt();
    for (uint32_t start = 1;; start++) {
        while (__atomic_load_n(&core->start, __ATOMIC_ACQUIRE) != start) {
            *(volatile uint32_t *)SKERRY_INTERRUPT_REGISTER = 0;
            __atomic_thread_fence(__ATOMIC_SEQ_CST);
            if (__atomic_load_n(&core->start, __ATOMIC_ACQUIRE) != start) __asm__ volatile("wfi" : : : "memory");
        }
        skerry_worker_run(core);
        __atomic_store_n(&core->busy, 0, __ATOMIC_RELEASE);
    }
}

void skerry_worker_adopt(void (*ends)(void)) {
    // Only worker 0, which runs main, is a thread that the runtime did not start. The end of this thread ends the
    // program, so `ends` is not called.
    (void)ends;
}

void skerry_worker_is_idle(bool rests) {
    (void)rests;
}

// -- Places: a worker stays on its core --------------------------------------------------------------------------------

const char *skerry_host_name(void) {
    return "cluster";
}

const int *skerry_processor_numbers(void) {
    static int numbers[SKERRY_WORKERS_MAX];
    for (int i = 0; i < SKERRY_WORKERS_MAX; i++) numbers[i] = i;
    return numbers;
}
