// SPDX-License-Identifier: BSD-3-Clause
// Copies by micro-cores: small processors of the DMA unit, which read this PE's memory and send packets while the cores
// compute. The programs copy blocks with strides, in two nested loops: over the blocks, and over the units of a block (32
// bytes, 8 bytes, 1 byte). They differ in what follows the last block.
#include "network.h"

// Parameters of the programs.
enum { SOURCE, OFFSET, UNITS_OF_32, UNITS_OF_8, UNITS_OF_1, BLOCKS, SOURCE_STEP, OFFSET_STEP, TAG };

// The parts of an instruction (sim/mppa_dma/program.hpp).
enum action { NONE = 0, READ_1 = 1, READ_8 = 2, READ_32 = 3, TO_OFFSET = 5, SEND = 6, END = 7, LOCAL = 10, STOP = 11 };
enum change { KEEP, ADD_NUMBER, ADD_PARAMETER, SET_POINTER };
enum count { NO_COUNT, SET_COUNTER, JUMP, LOOP, SKIP };
#define INSTRUCTION(ACTION, POINTER, CHANGE, PARAMETER, COUNTER, COUNT, COUNT_PARAMETER, TARGET, NUMBER)               \
    ((uint64_t)(ACTION) | (uint64_t)(POINTER) << 4 | (uint64_t)(CHANGE) << 6 | (uint64_t)(PARAMETER) << 8 |            \
     (uint64_t)(COUNTER) << 13 | (uint64_t)(COUNT) << 15 | (uint64_t)(COUNT_PARAMETER) << 18 |                         \
     (uint64_t)(TARGET) << 22 | (uint64_t)(NUMBER) << 32)

#define PROGRAM_INSTRUCTIONS 16u
#define PUT_PROGRAM 0u
#define ANSWER_PROGRAM PROGRAM_INSTRUCTIONS
#define JOB_PROGRAM (2 * PROGRAM_INSTRUCTIONS)

// Pointer 0 is the source, and pointer 1 the offset of the block. Counters 0 to 2 count units, and counter 3 blocks. `loop`
// jumps if the counter is not 0, and `skip` if it is 0; both subtract 1 otherwise. So a loop of n units begins with a `skip`
// and executes its `loop` n times.
static void load_program(uint32_t unit, uint32_t first) {
    const enum action last = first == PUT_PROGRAM ? SEND : END;
    const uint64_t program[PROGRAM_INSTRUCTIONS] = {
        [0] = INSTRUCTION(NONE, 0, SET_POINTER, SOURCE, 3, SET_COUNTER, BLOCKS, 0, 0),
        [1] = INSTRUCTION(NONE, 1, SET_POINTER, OFFSET, 3, SKIP, 0, first + 12, 0),
        [2] = INSTRUCTION(TO_OFFSET, 1, ADD_PARAMETER, OFFSET_STEP, 0, SET_COUNTER, UNITS_OF_32, 0, 0),
        [3] = INSTRUCTION(NONE, 0, KEEP, 0, 1, SET_COUNTER, UNITS_OF_8, 0, 0),
        [4] = INSTRUCTION(NONE, 0, KEEP, 0, 2, SET_COUNTER, UNITS_OF_1, 0, 0),
        [5] = INSTRUCTION(NONE, 0, KEEP, 0, 0, SKIP, 0, first + 7, 0),
        [6] = INSTRUCTION(READ_32, 0, ADD_NUMBER, 0, 0, LOOP, 0, first + 6, 32),
        [7] = INSTRUCTION(NONE, 0, KEEP, 0, 1, SKIP, 0, first + 9, 0),
        [8] = INSTRUCTION(READ_8, 0, ADD_NUMBER, 0, 1, LOOP, 0, first + 8, 8),
        [9] = INSTRUCTION(NONE, 0, KEEP, 0, 2, SKIP, 0, first + 11, 0),
        [10] = INSTRUCTION(READ_1, 0, ADD_NUMBER, 0, 2, LOOP, 0, first + 10, 1),
        [11] = INSTRUCTION(NONE, 0, ADD_PARAMETER, SOURCE_STEP, 3, LOOP, 0, first + 2, 0),
        [12] = INSTRUCTION(last, 0, KEEP, 0, 0, NO_COUNT, 0, 0, 0),
        [13] = first == ANSWER_PROGRAM ? INSTRUCTION(STOP, 0, KEEP, 0, 0, NO_COUNT, 0, 0, 0)
                                       : INSTRUCTION(LOCAL, 0, KEEP, TAG, 0, NO_COUNT, 0, 0, 0),
        [14] = INSTRUCTION(STOP, 0, KEEP, 0, 0, NO_COUNT, 0, 0, 0),
    };
    for (uint32_t i = 0; i < PROGRAM_INSTRUCTIONS - 1; i++) {
        const uint32_t at = unit * SKERRY_MPPA_REGISTERS_BYTES + SKERRY_MPPA_PROGRAM_BASE + 8 * (first + i);
        SKERRY_MPPA_REGISTER(uint32_t, at) = (uint32_t)program[i];
        SKERRY_MPPA_REGISTER(uint32_t, at + 4) = (uint32_t)(program[i] >> 32);
    }
}

void skerry_micro_begin(uint32_t units) {
    load_program(0, PUT_PROGRAM);
    load_program(0, JOB_PROGRAM);
    for (uint32_t unit = 0; unit < units; unit++) load_program(unit, ANSWER_PROGRAM);
}

static inline __attribute__((always_inline)) void start(const struct skerry_blocks *copy, uint32_t program,
                                                        uint32_t header, uint32_t micro_core, uint32_t tag,
                                                        uint32_t unit) {
    const uint32_t base = unit * SKERRY_MPPA_REGISTERS_BYTES;
    volatile uint32_t *parameters = &SKERRY_MPPA_REGISTER(uint32_t, base + SKERRY_MPPA_PARAMETERS_BASE);
    skerry_compiler_fence();
    parameters[SOURCE] = (uint32_t)(uintptr_t)copy->source;
    parameters[OFFSET] = copy->offset;
    parameters[UNITS_OF_32] = copy->block_bytes / 32;
    parameters[UNITS_OF_8] = copy->block_bytes % 32 / 8;
    parameters[UNITS_OF_1] = copy->block_bytes % 8;
    parameters[BLOCKS] = copy->blocks;
    parameters[SOURCE_STEP] = copy->source_stride - copy->block_bytes;
    parameters[OFFSET_STEP] = copy->offset_stride;
    parameters[TAG] = tag;
    SKERRY_MPPA_REGISTER(uint32_t, base + SKERRY_MPPA_MICRO_START + 4 * micro_core) =
        program | header << SKERRY_MPPA_START_HEADER_SHIFT;
}

// Returns the micro-core of a core of the program. A division takes as long as all stores of `start`.
static inline uint32_t micro_core_of(uint32_t core) {
    while (core >= SKERRY_MPPA_MICRO_CORES) core -= SKERRY_MPPA_MICRO_CORES;
    return core;
}

void skerry_micro_put_range(const void *source, uint32_t offset, uint32_t bytes, uint32_t header, uint32_t core) {
    const struct skerry_blocks copy = {source, offset, bytes, 1, 0, 0};
    start(&copy, PUT_PROGRAM, header, micro_core_of(core), SKERRY_MPPA_TAG_SENT + core, 0);
}

void skerry_micro_put(const struct skerry_blocks *copy, uint32_t header, uint32_t core) {
    start(copy, PUT_PROGRAM, header, micro_core_of(core), SKERRY_MPPA_TAG_SENT + core, 0);
}

void skerry_micro_job(const struct skerry_blocks *copy, uint32_t header, uint32_t core) {
    start(copy, JOB_PROGRAM, header, micro_core_of(core), SKERRY_MPPA_TAG_SENT + core, 0);
}

void skerry_micro_answer(const struct skerry_blocks *copy, uint32_t header, uint32_t micro_core, uint32_t unit) {
    start(copy, ANSWER_PROGRAM, header, SKERRY_MPPA_MICRO_CORES + micro_core, 0, unit);
}
