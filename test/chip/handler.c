// SPDX-License-Identifier: BSD-3-Clause
// An interrupt of the program's own, as docs/guide/chip.md tells to link its handler.
#include <shmem.h>

#define TIMER1_OF_CYCLES 0x100 // CONFIG
#define TIMER1_INTERRUPT 0x10  // IMASK

static volatile int fired;

__asm__(".section ivt_entry_timer1, \"ax\"\n b _handler\n .text");
__attribute__((interrupt, used)) void handler(void);
void handler(void) {
    fired = 1;
}

int main(void) {
    shmem_init();
    unsigned value = 1000;
    __asm__ volatile("movts ctimer1, %0" : : "r"(value));
    __asm__ volatile("movfs %0, imask" : "=r"(value));
    __asm__ volatile("movts imask, %0" : : "r"(value & ~TIMER1_INTERRUPT));
    __asm__ volatile("movfs %0, config" : "=r"(value));
    __asm__ volatile("movts config, %0" : : "r"(value | TIMER1_OF_CYCLES));
    while (!fired) continue;
    shmem_finalize();
    return 0;
}
