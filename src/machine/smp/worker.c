// SPDX-License-Identifier: BSD-3-Clause
// Runs workers on cores. A core runs one of its workers until this worker waits, ends or moves to another core. A
// worker that waits gives the core to the next worker of the same core (skerry_yield). A core without workers sleeps
// until another core gives it a worker and interrupts it.
//
// A worker that ends or moves still uses its stack until skerry_switch has switched to other code. So the worker must
// not hand itself to another core, or free its own memory. The code that runs next on the core does both
// (after_switch).
#include "internal.h"

#include <string.h>

SKERRY_PER_THREAD int skerry_worker_number = -1;
SKERRY_PER_THREAD struct skerry_worker *skerry_self;
SKERRY_PER_THREAD const uint32_t *skerry_waiting;

// -- Making ------------------------------------------------------------------------------------------------------------

// Initial values of the SKERRY_PER_THREAD variables, and their size in bytes (smp.ld).
extern const char skerry_tls_begin[], skerry_tls_initialized[], skerry_tls_size[];

// The registers in the order in which switch.S stores them on a worker's stack.
struct frame {
    const void *return_address;
    void *thread_pointer;
    uint32_t s0;
    void *s1;
    uint32_t others[12];
    double floats[12];
};
_Static_assert(sizeof(struct frame) == 160, "as in switch.S");

static struct skerry_spin workers_lock;                            // protects the three variables below
static struct skerry_worker *worker_of_number[SKERRY_WORKERS_MAX]; // NULL: no worker has this number
// List of workers that have ended, whose memory can be reused.
static struct skerry_worker *spare;
static size_t stack_bytes_now = SKERRY_WORKER_STACK_BYTES;

// Bytes of the heap that stacks do not use. 256 KB were too few for a second region with 251 threads.
#define HEAP_RESERVE ((size_t)2 << 20)

// Returns the lowest free number, or SKERRY_WORKERS_MAX if there is none. The caller holds the lock.
static int free_number(void) {
    int number = 0;
    while (number < SKERRY_WORKERS_MAX && worker_of_number[number]) number++;
    return number;
}

// Gives the worker the lowest free number. Returns false if there is none.
static bool take_number(struct skerry_worker *worker) {
    skerry_spin_take(&workers_lock);
    const int number = free_number();
    const bool is_free = number < SKERRY_WORKERS_MAX;
    if (is_free) {
        worker->number = number;
        worker_of_number[number] = worker;
    }
    skerry_spin_give(&workers_lock);
    return is_free;
}

static struct skerry_worker *take_spare(size_t stack_bytes) {
    skerry_spin_take(&workers_lock);
    struct skerry_worker **place = &spare;
    while (*place && (*place)->stack_bytes != stack_bytes) place = &(*place)->next;
    struct skerry_worker *worker = *place;
    if (worker) *place = worker->next;
    skerry_spin_give(&workers_lock);
    return worker;
}

static void retire(struct skerry_worker *worker) {
    skerry_spin_take(&workers_lock);
    worker_of_number[worker->number] = NULL;
    worker->next = spare;
    spare = worker;
    skerry_spin_give(&workers_lock);
}

static size_t round_up(size_t bytes) {
    return (bytes + SKERRY_LINE - 1) & ~(size_t)(SKERRY_LINE - 1);
}

// Initialises the worker's SKERRY_PER_THREAD variables, which lie above its stack. Stores the register values with
// which the worker begins.
static void prepare(struct skerry_worker *worker) {
    char *variables = (char *)worker + round_up(sizeof *worker);
    const size_t initialized = (size_t)(skerry_tls_initialized - skerry_tls_begin), size = (size_t)skerry_tls_size;
    memcpy(variables, skerry_tls_begin, initialized);
    memset(variables + initialized, 0, size - initialized);
    for (int i = 0; i < SKERRY_STACK_MARKS; i++) worker->stack_end[i] = SKERRY_STACK_MARK;
    struct frame *frame = (struct frame *)(void *)((char *)worker - sizeof *frame);
    memset(frame, 0, sizeof *frame);
    frame->return_address = skerry_worker_enter;
    frame->thread_pointer = variables;
    frame->s1 = worker;
    worker->stack_pointer = frame;
}

// Takes memory for a worker. Returns NULL if then less than HEAP_RESERVE bytes would be left for the data of the
// worker's team, without which the program could not continue.
static char *take_block(size_t bytes) {
    if (!skerry_memory_is_left(bytes + HEAP_RESERVE)) {
        char *block = skerry_memory_take(bytes + HEAP_RESERVE, SKERRY_LINE); // the program may have freed memory
        if (!block) return NULL;
        skerry_memory_give(block);
    }
    return skerry_memory_take(bytes, SKERRY_LINE);
}

struct skerry_worker *skerry_worker_make(skerry_worker_main *main, void *argument, size_t stack_bytes) {
    struct skerry_worker *worker = take_spare(stack_bytes);
    if (!worker) {
        size_t bytes = stack_bytes + round_up(sizeof *worker) + round_up((size_t)skerry_tls_size);
        char *block = bytes > stack_bytes && bytes <= SIZE_MAX - HEAP_RESERVE ? take_block(bytes) : NULL;
        if (!block) return NULL;
        worker = (struct skerry_worker *)(void *)(block + stack_bytes);
        worker->stack_end = (uint32_t *)(void *)block;
    }
    worker->main = main;
    worker->argument = argument;
    worker->stack_bytes = stack_bytes;
    prepare(worker);
    if (take_number(worker)) return worker;
    skerry_memory_give(worker->stack_end);
    return NULL;
}

bool skerry_worker_stack(size_t bytes) {
    size_t rounded = round_up(bytes);
    if (rounded < bytes) return false;
    stack_bytes_now = rounded < 4096 ? 4096 : rounded;
    return true;
}

// -- Cores -------------------------------------------------------------------------------------------------------------

static void check_stack(const struct skerry_worker *worker) {
    bool is_full = false;
    for (int i = 0; i < SKERRY_STACK_MARKS; i++) is_full |= worker->stack_end[i] != SKERRY_STACK_MARK;
    if (is_full)
        skerry_stop("skerry: the stack of a thread is full; OMP_STACKSIZE sets the size of all stacks except main's");
}

void skerry_check_stacks(void) {
    for (int i = 0; i < SKERRY_WORKERS_MAX; i++) {
        const struct skerry_worker *worker = __atomic_load_n(&worker_of_number[i], __ATOMIC_ACQUIRE);
        if (worker) check_stack(worker);
    }
}

static void queue(struct skerry_core *core, struct skerry_worker *worker) {
    worker->next = NULL;
    if (core->ready) core->last->next = worker;
    else core->ready = worker;
    core->last = worker;
}

void skerry_worker_give(struct skerry_worker *worker, struct skerry_core *core) {
    __atomic_fetch_add(&core->workers, 1, __ATOMIC_RELAXED);
    skerry_spin_take(&core->lock);
    worker->core = core;
    worker->next = core->arriving;
    core->arriving = worker;
    skerry_spin_give(&core->lock);
    __atomic_fetch_add(&core->waiting, 1, __ATOMIC_RELEASE);
    *core->interrupt = 1;
}

// Returns the next worker that waits for the core, or NULL.
static struct skerry_worker *next_of(struct skerry_core *core) {
    if (__atomic_load_n(&core->arriving, __ATOMIC_RELAXED)) {
        skerry_spin_take(&core->lock);
        struct skerry_worker *arriving = core->arriving;
        core->arriving = NULL;
        skerry_spin_give(&core->lock);
        while (arriving) {
            struct skerry_worker *worker = arriving;
            arriving = worker->next;
            queue(core, worker);
        }
    }
    struct skerry_worker *worker = core->ready;
    if (!worker) return NULL;
    core->ready = worker->next;
    __atomic_fetch_sub(&core->waiting, 1, __ATOMIC_RELAXED);
    return worker;
}

// Tells the core the limit of the stack that it uses: skerry-sim stops a core whose stack pointer is lower. NULL: no limit.
// Code that switches to another stack takes the limit away before, and sets that of the new stack after.
static void limit_stack(const uint32_t *limit) {
    *(const uint32_t *volatile *)SKERRY_STACK_LIMIT_REGISTER = limit;
}

// Handles the worker that has just left this core, if there is one. Gives the worker to its next core, or reuses its
// memory. The code that continues on a core after skerry_switch must call this function.
static void after_switch(struct skerry_core *core) {
    struct skerry_worker *worker = core->leaving;
    if (!worker) return;
    core->leaving = NULL;
    __atomic_fetch_sub(&core->workers, 1, __ATOMIC_RELAXED);
    if (core->destination) skerry_worker_give(worker, core->destination);
    else retire(worker);
}

static void enable_software_interrupt(void) {
    const uint32_t software = 1u << 3;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrs mie, %0\n.option pop" : : "r"(software));
}

// Runs the workers of a core, and sleeps while there are none. The software interrupt is enabled in MIE but not in
// MSTATUS. So the interrupt ends the sleep (WFI), but the core calls no interrupt handler.
//
// Why no worker that arrives is lost:
// * Another core adds the worker to the list `arriving`, and then raises the software interrupt.
// * The interrupt stays pending until this core clears it. This core checks the list after it has cleared the
//   interrupt.
SKERRY_NORETURN void skerry_core_run(struct skerry_core *core) {
    enable_software_interrupt();
    for (;;) {
        *core->interrupt = 0;
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        struct skerry_worker *worker = next_of(core);
        if (worker) {
            skerry_switch(&core->idle_stack_pointer, worker->stack_pointer);
            after_switch(core);
        } else {
            __asm__ volatile("wfi" : : : "memory");
        }
    }
}

void skerry_yield(void) {
    struct skerry_worker *self = skerry_self;
    struct skerry_core *core = self->core;
    struct skerry_worker *next = next_of(core);
    if (!next) return;
    check_stack(self);
    queue(core, self);
    __atomic_fetch_add(&core->waiting, 1, __ATOMIC_RELAXED);
    limit_stack(NULL);
    skerry_switch(&self->stack_pointer, next->stack_pointer);
    limit_stack(self->stack_end);
    after_switch(self->core);
}

// Lets the calling worker leave its core. If `destination` is NULL, the worker ends and the function never returns. If
// not, the function returns when the worker runs on the core `destination`.
static void leave(struct skerry_worker *self, struct skerry_core *destination) {
    struct skerry_core *core = self->core;
    check_stack(self);
    core->leaving = self;
    core->destination = destination;
    struct skerry_worker *next = next_of(core);
    limit_stack(NULL);
    skerry_switch(&self->stack_pointer, next ? next->stack_pointer : core->idle_stack_pointer);
    limit_stack(self->stack_end);
    after_switch(self->core);
}

void skerry_worker_move(struct skerry_core *core) {
    if (core == skerry_self->core) return;
    leave(skerry_self, core);
    skerry_waiting = &core->waiting;
}

struct skerry_core *skerry_core_choose(uint32_t cores) {
    struct skerry_core *best = NULL;
    for (int i = 0; i < skerry_cores_of_job; i++)
        if (cores >> i & 1 && (!best || skerry_cores[i].workers < best->workers)) best = &skerry_cores[i];
    return best;
}

// -- Workers -----------------------------------------------------------------------------------------------------------

SKERRY_NORETURN void skerry_worker_run(struct skerry_worker *self);
SKERRY_NORETURN void skerry_worker_run(struct skerry_worker *self) {
    skerry_self = self;
    skerry_worker_number = self->number;
    skerry_waiting = &self->core->waiting;
    limit_stack(self->stack_end);
    after_switch(self->core);
    self->main(self->argument);
    for (;;) leave(self, NULL); // does not return
}

int skerry_worker_start(skerry_worker_main *main, void *argument) {
    struct skerry_worker *worker = skerry_worker_make(main, argument, stack_bytes_now);
    if (!worker) {
        skerry_spin_take(&workers_lock);
        const bool has_number = free_number() < SKERRY_WORKERS_MAX;
        skerry_spin_give(&workers_lock);
        return has_number ? SKERRY_NO_MEMORY : SKERRY_NO_NUMBER;
    }
    const int number = worker->number; // the worker can end before skerry_worker_give returns
    skerry_worker_give(worker, skerry_core_choose(UINT32_MAX));
    return number;
}

void skerry_worker_adopt(void (*ends)(void)) {
    // Only worker 0, which runs main, is a thread that the runtime did not start. The end of this thread ends the
    // program, so `ends` is not called.
    (void)ends;
}

void skerry_worker_is_idle(bool rests) {
    (void)rests;
}
