// SPDX-License-Identifier: BSD-3-Clause
// Declares asynchronous one-sided operations under the names that programs for Kalray's MPPA processors (Andey, Bostan)
// use. The operations are implemented with aos.h. Names, types and the order of arguments are as in published programs.
// A function returns 0, or -1 if it did nothing. aos.h and docs/guide/mppa.md describe the operations. The headers
// under skerry/mppa/ and the man pages describe each routine.
//
// On an MPPA one program, the master, runs on the I/O cores, whose memory is the DDR. The master starts programs on
// clusters 0 to 15. In Skerry each of these programs is a process. The programs communicate only through segments,
// queues and barriers.
#ifndef MPPA_ASYNC_H
#define MPPA_ASYNC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#include <aos.h>

#ifdef __cplusplus
extern "C" {
#endif

// Type of a 64-bit offset. C libraries define off64_t only if a program asks for it (_LARGEFILE64_SOURCE). This
// definition is the same as theirs.
typedef int64_t off64_t; // as in the C library of Linux

// An ELF note in the program's file. The note says that this program starts the other programs of the job. So oshrun
// starts the program as one PE, unless the user gives another number of PEs.
__attribute__((section(".note.skerry"), used, aligned(4))) static const struct {
    uint32_t name_bytes, text_bytes, type;
    char name[8];
    uint32_t text;
} skerry_mppa_note = {7, 4, 1, "Skerry", 1};

// -- Places ------------------------------------------------------------------------------------------------------------

#define MPPA_CLUSTERS 16

// Numbers of programs. The default segment of a program (mppa_async_default_segment) is all memory of that program.
enum {
    MPPA_ASYNC_SERVER_CC0,
    MPPA_ASYNC_SERVER_CC1,
    MPPA_ASYNC_SERVER_CC2,
    MPPA_ASYNC_SERVER_CC3,
    MPPA_ASYNC_SERVER_CC4,
    MPPA_ASYNC_SERVER_CC5,
    MPPA_ASYNC_SERVER_CC6,
    MPPA_ASYNC_SERVER_CC7,
    MPPA_ASYNC_SERVER_CC8,
    MPPA_ASYNC_SERVER_CC9,
    MPPA_ASYNC_SERVER_CC10,
    MPPA_ASYNC_SERVER_CC11,
    MPPA_ASYNC_SERVER_CC12,
    MPPA_ASYNC_SERVER_CC13,
    MPPA_ASYNC_SERVER_CC14,
    MPPA_ASYNC_SERVER_CC15,
    MPPA_ASYNC_SERVER_IO0 = 128,
    MPPA_ASYNC_SERVER_DDR0 = MPPA_ASYNC_SERVER_IO0,
    MPPA_ASYNC_SERVER_IO1 = 192,
    MPPA_ASYNC_SERVER_DDR1 = MPPA_ASYNC_SERVER_IO1 // also if no second I/O program was started
};

#define MPPA_ASYNC_DDR_0 (mppa_async_default_segment(MPPA_ASYNC_SERVER_DDR0))
#define MPPA_ASYNC_DDR_1 (mppa_async_default_segment(MPPA_ASYNC_SERVER_DDR1))
#define MPPA_ASYNC_SMEM_0 (mppa_async_default_segment(MPPA_ASYNC_SERVER_CC0))

// -- Types -------------------------------------------------------------------------------------------------------------

typedef struct {
    unsigned long long ident;
    void *phys_base; // address of the memory in the creator; 0 for a default segment, whose offsets are addresses
    size_t size;
    int server;
    unsigned flags;
    int is_queue;
    int is_own;
    union {
        aos_segment_t window;
        aos_queue_t queue;
    } reached;
} mppa_async_segment_t;

// Flags of mppa_async_segment_create. If a flag is set, the routine creates a queue. On an MPPA the flag selects a
// channel of the processor. In Skerry all four flags have the same effect.
#define MPPA_ASYNC_SEGMENT_FLAG_QUEUE0 1u
#define MPPA_ASYNC_SEGMENT_FLAG_QUEUE1 2u
#define MPPA_ASYNC_SEGMENT_FLAG_QUEUE2 4u
#define MPPA_ASYNC_SEGMENT_FLAG_QUEUE3 8u

typedef struct {
    aos_event_t happening;
    const mppa_async_segment_t *queue; // the queue, if the event is for a dequeue; else 0
    void **buffer;
    size_t size;
} mppa_async_event_t;

typedef enum {
    MPPA_ASYNC_COND_EQ = AOS_EQUAL,
    MPPA_ASYNC_COND_NE = AOS_NOT_EQUAL,
    MPPA_ASYNC_COND_LT = AOS_LESS,
    MPPA_ASYNC_COND_LE = AOS_LESS_EQUAL,
    MPPA_ASYNC_COND_GT = AOS_GREATER,
    MPPA_ASYNC_COND_GE = AOS_GREATER_EQUAL
} mppa_async_cond_t;

// Position of a block in an array: the indices of the block's first element, and the size of the array in elements.
typedef struct {
    int xpos, ypos;
    int xdim, ydim;
} mppa_async_point2d_t;

typedef struct {
    int xpos, ypos, zpos;
    int xdim, ydim, zdim;
} mppa_async_point3d_t;

// -- Routines ----------------------------------------------------------------------------------------------------------

#include <skerry/mppa/programs.h>
#include <skerry/mppa/segment.h>
#include <skerry/mppa/transfer.h>
#include <skerry/mppa/synchronisation.h>
#include <skerry/mppa/processor.h>

#ifdef __cplusplus
}
#endif

#endif
