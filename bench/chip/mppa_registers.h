// SPDX-License-Identifier: BSD-3-Clause
// The registers of an MPPA's DMA unit that mppa_hardware.c and mppa_queue.c use (docs/design/mppa-machine.md). The library
// uses headers, tags and instructions with lower numbers.
#ifndef SKERRY_BENCH_CHIP_MPPA_REGISTERS_H
#define SKERRY_BENCH_CHIP_MPPA_REGISTERS_H

#include <stdint.h>

#define REGISTER(OFFSET) (*(volatile uint32_t *)(uintptr_t)(0x60000000u + (uint32_t)(OFFSET)))

#define HEADER_ROUTE(I) REGISTER(0x01000 + 8 * (I))
#define HEADER_TARGET(I) REGISTER(0x01004 + 8 * (I))
#define HEADER_VALID 0x80000000u
#define PUSH ((volatile double *)(uintptr_t)0x60002000u)
#define SEND_END(I) ((volatile double *)(uintptr_t)(0x60006000u + 64 * (I)))
#define SHAPER_PAYLOAD(I) REGISTER(0x03008 + 16 * (I))

#define TAG_ADDRESS(I) REGISTER(0x08000 + 32 * (I))
#define TAG_SIZE(I) REGISTER(0x08004 + 32 * (I))
#define TAG_MODE(I) REGISTER(0x08008 + 32 * (I))
#define TAG_TRANSFERS(I) REGISTER(0x08010 + 32 * (I))
#define MODE_RING 2u

#define PARAMETER(I) REGISTER(0x0b800 + 4 * (I))
#define START(MICRO_CORE) REGISTER(0x0b900 + 4 * (MICRO_CORE))

// Parts of an instruction of a micro-core.
enum { READ_8 = 2, TO_OFFSET = 5, END = 7, STOP = 11, ADD_NUMBER = 1 << 6, SET_POINTER = 3 << 6 };
enum { SET_COUNTER = 1 << 15, LOOP = 3 << 15, SKIP = 4 << 15 };

static inline void set_instruction(uint32_t number, uint32_t low, uint32_t high) {
    REGISTER(0x0b000 + 8 * number) = low;
    REGISTER(0x0b004 + 8 * number) = high;
}

#endif
