// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends the job. Each core first finds out its number in the job. Core 0 of the job runs worker 0, the thread
// that initialises the C library and calls main. All other cores sleep until they get a worker to run.
#include "internal.h"

struct skerry_core skerry_cores[SKERRY_CORES_MAX];
int skerry_cores_of_job = 1;

// Offset of a word in each core's own memory. The word contains the core's number in the job + 1, or 0 as long as the
// number is not known. A core has no register from which it could read its number. So the first core that arrives here
// stores this word for all cores. The offset is skerry_data_begin of smp.ld.
#define PLACE_OFFSET 0x800u
#define INTERRUPT_OFFSET 0xf0000u // offset of a core's register MSIP: a store of 1 interrupts the core
#define CORE_SHIFT 20             // each core has 2^20 addresses for its memory and its registers

static void number_cores(void) {
    skerry_cores_of_job = (int)skerry_job.cores;
    for (uint32_t i = 0; i < skerry_job.cores; i++) {
        uintptr_t core = (uintptr_t)skerry_core_number(i) << CORE_SHIFT;
        skerry_cores[i].interrupt = (volatile uint32_t *)(core + INTERRUPT_OFFSET);
        *(volatile uint32_t *)(core + PLACE_OFFSET) = i + 1;
    }
}

static void check_job(void) {
    if (skerry_job.cores == 0 || skerry_job.cores > SKERRY_CORES_MAX)
        skerry_stop("skerry: this program can run on 1 to 32 cores, and needs the job's description that oshrun "
                    "writes: start it with oshrun --machine");
}

static uint32_t own_place(void) {
    static uint32_t is_begun;
    if (!__atomic_exchange_n(&is_begun, 1, __ATOMIC_ACQ_REL)) {
        check_job();
        number_cores();
    }
    volatile uint32_t *place = (volatile uint32_t *)PLACE_OFFSET;
    // Hides the constant address from the compiler. The compiler would warn about an access to an address near 0.
    __asm__("" : "+r"(place));
    while (*place == 0) {
    }
    return *place - 1;
}

static void run_program(void *unused) {
    (void)unused;
    skerry_run_main();
}

SKERRY_NORETURN void skerry_begin(void);
SKERRY_NORETURN void skerry_begin(void) {
    uint32_t place = own_place();
    struct skerry_core *core = &skerry_cores[place];
    if (place == 0) {
        struct skerry_worker *worker = skerry_worker_make(run_program, NULL, SKERRY_MAIN_STACK_BYTES);
        if (!worker) skerry_stop("skerry: no memory for the stack of main");
        skerry_worker_give(worker, core);
    }
    skerry_core_run(core);
}

SKERRY_NORETURN void _exit(int status);
SKERRY_NORETURN void _exit(int status) {
    skerry_check_stacks();
    skerry_end_job(status);
}
