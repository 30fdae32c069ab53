// SPDX-License-Identifier: BSD-3-Clause
// Declares asynchronous one-sided operations under the names that programs for Kalray's MPPA (Andey, Bostan) use,
// implemented with aos.h. An I/O program, the master, whose memory is the DDR, starts programs on clusters 0 to 15.
// Here each program is a process of its own, and the programs are connected only by segments, queues and barriers.
// Names, types and the order of arguments are as in published programs. aos.h and docs/guide/mppa.md describe the
// operations. A function returns 0, or -1 if it did nothing.
#ifndef MPPA_ASYNC_H
#define MPPA_ASYNC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <aos.h>

#ifdef __cplusplus
extern "C" {
#endif

// C libraries define this type only if a program asks for it. This definition equals the definition of the C libraries.
typedef __off64_t off64_t;

// A note (in the ELF format) in the program's file, which says that this program starts the other programs of the job.
// Therefore oshrun starts the program as one PE, unless the user gives another number of PEs.
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
    MPPA_ASYNC_SERVER_DDR1 = MPPA_ASYNC_SERVER_IO1 // means the master's memory if no second I/O program was started
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

// Flags of creation: each flag makes a queue. On an MPPA the flags select a channel of the processor; here all flags
// have the same effect.
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

// -- Set-up ------------------------------------------------------------------------------------------------------------

//@ mppa_rpc_server_init: mppa_rpc_server_init mppa_rpc_server_set_nb_rm mppa_async_server_init mppa_rpc_server_start mppa_rpc_server mppa_async_server_final mppa_rpc_server_free mppa_rpc_server_final
// Sets up or ends the library in an I/O program. The routine mppa_rpc_server_init sets the number of clusters. The
// program may use segments between mppa_async_server_init and mppa_async_server_final. mppa_rpc_server_start and
// mppa_rpc_server are two names of one routine, which waits until the program of each cluster has called
// mppa_async_final or has ended; a program may run this routine as a task. A thread of the library executes requests of
// other programs all the time. Therefore mppa_rpc_server_set_nb_rm, mppa_rpc_server_free and mppa_rpc_server_final do
// nothing.
//   nb_cluster      number of clusters that take part, 1 to 16: clusters 0 to nb_cluster - 1
//   rm, ddr_offset  the core that runs the server, and the number that the server adds to addresses: ignored here
//   count           ignored
// Returns: 0; -1 if segments are not available.
// Errors: a call in a cluster's program, or an nb_cluster that is not 1 to 16, ends the job with an error message. The
// use of segments before mppa_async_server_init or after mppa_async_server_final also ends the job with an error
// message.
// Source: Kalray's public interface. See aos_init(3).

int mppa_rpc_server_init(int rm, int ddr_offset, int nb_cluster);
int mppa_rpc_server_set_nb_rm(int count);
int mppa_async_server_init(void);
int mppa_rpc_server_start(void);
int mppa_rpc_server(void);
int mppa_async_server_final(void);
int mppa_rpc_server_free(void);
#define mppa_rpc_server_final mppa_rpc_server_free

//@ mppa_rpc_client_init: mppa_rpc_client_init mppa_async_init mppa_async_final mppa_rpc_client_free mppa_rpc_client_final
// Sets up or ends the library in a cluster's program. The program may use segments between mppa_async_init and
// mppa_async_final. mppa_async_final completes the program's operations, destroys its segments, and records for the
// master that this cluster is done. mppa_rpc_client_init only checks that the call is in a cluster's program.
// mppa_rpc_client_free and mppa_rpc_client_final do nothing.
// Returns: 0; -1 if segments are not available.
// Errors: a call of mppa_rpc_client_init or mppa_async_init in an I/O program, or in a program that no master started,
// ends the job with an error message.
// Source: Kalray's public interface. See aos_init(3).

int mppa_rpc_client_init(void);
int mppa_async_init(void);
int mppa_async_final(void);
int mppa_rpc_client_free(void);
#define mppa_rpc_client_final mppa_rpc_client_free

//@ mppa_rpc_barrier_all: mppa_rpc_barrier_all mppa_rpc_barrier
// Waits until all programs of a set have called the routine. For mppa_rpc_barrier_all the set is the programs of all
// clusters, whose number mppa_rpc_server_init has set. For mppa_rpc_barrier the set is some programs; one of them can
// be the master. The routine first completes the caller's operations on segments.
//   clusters  a set of bits, not 0, that identifies the barrier: programs that give the same set wait for one
//             another. A job may use up to 64 sets
//   count     number of programs that call the routine with this set
// Returns: 0; -1 if clusters is 0, count is less than 1, or the job has too many sets.
// Errors: mppa_rpc_barrier_all ends the job with an error message if the master calls it, or if a cluster has ended
// before it called the routine.
// Source: Kalray's public interface.

int mppa_rpc_barrier_all(void);
int mppa_rpc_barrier(unsigned long long clusters, int count);

#define MPPA_RPC_CLUSTER_MAX_REQUEST 16

// -- Programs of clusters ----------------------------------------------------------------------------------------------

typedef int mppa_power_pid_t;
#define MPPA_POWER_SHUFFLING_DISABLED 0
#define MPPA_POWER_SHUFFLING_ENABLED 1

//@ mppa_power_base_spawn: mppa_power_base_spawn mppa_power_base_waitpid
// Starts a program on a cluster, or waits until the program of a cluster has ended. Only the master may call these
// routines.
//   cluster      0 to 15; 192: the second I/O program
//   program      a path, or a name to search for in the folder of the master's file, the working directory, and `PATH`
//   arguments    arguments of main, including the program's name, with NULL at the end. NULL: only the name
//   environment  the environment, with NULL at the end. NULL: the master's environment
//   status       NULL, or receives the exit code
//   flags, options  ignored
// Returns: the cluster; -1 if the program could not be started, after an error message, or if the cluster has no
// program to wait for.
// Errors: a call in another program than the master, or an invalid cluster, ends the job with an error message. If a
// signal kills a started program, the job also ends with an error message.
// Source: Kalray's public interface.

mppa_power_pid_t mppa_power_base_spawn(int cluster, const char *program, const char *const *arguments,
                                       const char *const *environment, int flags);
#ifndef __cplusplus
#define mppa_power_base_spawn(CLUSTER, PROGRAM, ARGUMENTS, ENVIRONMENT, FLAGS)                                         \
    (mppa_power_base_spawn)(CLUSTER, PROGRAM, (const char *const *)(ARGUMENTS), (const char *const *)(ENVIRONMENT),    \
                            FLAGS)
#endif
mppa_power_pid_t mppa_power_base_waitpid(mppa_power_pid_t cluster, int *status, int options);

// -- Segments ----------------------------------------------------------------------------------------------------------

//@ mppa_async_segment_create: mppa_async_segment_create mppa_async_segment_clone mppa_async_segment_destroy
// Creates, clones or destroys a segment or a queue. The routine mppa_async_segment_create makes a segment or a queue
// from memory of this program, under a number. mppa_async_segment_clone waits until a program has created a segment or
// a queue under the number, and makes a handle of it. mppa_async_segment_destroy ends the segment or the queue; for a
// clone it ends only the handle.
//   segment  set to the handle of this program
//   ident    number in the job, which no other segment and no queue has; less than UINT64_MAX - 1
//   local    the memory, of `size` bytes; a dequeue copies each message of a queue to this memory
//   size     size of a segment in bytes, not 0; for a queue, size of the largest message; for a clone, ignored
//   flags    0: a segment; one of MPPA_ASYNC_SEGMENT_FLAG_QUEUE0 to _QUEUE3: a queue
//   event    NULL, or an event, which has happened on return
//   multi, global  ignored
// Returns: 0; -1 if nothing was done.
// Errors: if another segment or queue has the number, the job ends with an error message.
// Source: Hascoet et al. 2017, section 3. See aos_segment_create(3), aos_segment_clone(3), aos_queue_create(3).

int mppa_async_segment_create(mppa_async_segment_t *segment, unsigned long long ident, void *local, size_t size,
                              unsigned flags, int multi, mppa_async_event_t *event);
int mppa_async_segment_clone(mppa_async_segment_t *segment, unsigned long long ident, void *global, size_t size,
                             mppa_async_event_t *event);
int mppa_async_segment_destroy(mppa_async_segment_t *segment);
//@ mppa_async_default_segment: mppa_async_default_segment
// Returns the segment that is all memory of a program. Its offsets are addresses of that program. MPPA_ASYNC_DDR_0 is
// the segment of the master. MPPA_ASYNC_DDR_1 is the segment of the second I/O program, or of the master if no second
// I/O program was started. MPPA_ASYNC_SMEM_0 is the segment of cluster 0. The program need not run yet: the first
// operation on the segment waits until the program may use segments.
//   server  0 to 15: a cluster; MPPA_ASYNC_SERVER_DDR0 or _IO0, MPPA_ASYNC_SERVER_DDR1 or _IO1: an I/O program
// Returns: the handle of the segment. The handle belongs to the library.
// Errors: another number ends the job with an error message.
// Source: Kalray's public interface. See aos_segment_of_pe(3).

mppa_async_segment_t *mppa_async_default_segment(int server);
//@ mppa_async_offset: mppa_async_offset mppa_async_address
// Converts an address to its offset in a segment, or an offset to its address. The address is valid in the program that
// created the segment.
//   offset   offset in bytes; for a default segment it equals the address
//   address  for mppa_async_address: pointer to a pointer of any type, which receives the address
// Returns: 0; -1 if the address or the offset is not in the segment.
// Source: Kalray's public interface. See aos_offset(3), aos_pointer(3).

int mppa_async_offset(const mppa_async_segment_t *segment, const void *address, off64_t *offset);
int mppa_async_address(const mppa_async_segment_t *segment, off64_t offset, void *address);
#define mppa_async_address(SEGMENT, OFFSET, ADDRESS) (mppa_async_address)(SEGMENT, OFFSET, (void *)(ADDRESS))

//@ mppa_async_malloc: mppa_async_malloc mppa_async_memalign mppa_async_free mppa_async_smalloc mppa_async_smemalign mppa_async_sfree
// Allocates or frees memory of the DDR; any program may free a block. Every program can load from a block and store to
// it: the block's address in every program is its offset. SHMEM_SYMMETRIC_SIZE sets the size of this memory.
//   segment    MPPA_ASYNC_DDR_0 or MPPA_ASYNC_DDR_1, which share one heap
//   alignment  a power of two, at most 1 GB, or 0
//   size       size in bytes
//   offset     receives the offset of the block; for mppa_async_free: the offset
//   event      NULL, or an event, which has happened on return
// Returns: 0; -1 if there is not enough memory, if the segment is not MPPA_ASYNC_DDR_0 or MPPA_ASYNC_DDR_1, or if the
// alignment is invalid.
// Errors: mppa_async_free of an offset that is not the start of a block ends the job with an error message.
// Source: Kalray's public interface. See aos_malloc(3).

int mppa_async_malloc(const mppa_async_segment_t *segment, size_t size, off64_t *offset, mppa_async_event_t *event);
int mppa_async_memalign(const mppa_async_segment_t *segment, size_t alignment, size_t size, off64_t *offset,
                        mppa_async_event_t *event);
int mppa_async_free(const mppa_async_segment_t *segment, off64_t offset, mppa_async_event_t *event);
#define mppa_async_smalloc mppa_async_malloc
#define mppa_async_smemalign mppa_async_memalign
#define mppa_async_sfree mppa_async_free

// -- Put and get -------------------------------------------------------------------------------------------------------

//@ mppa_async_put: mppa_async_put mppa_async_get
// Copies to a segment (put), or from a segment (get).
//   local   address in any memory of this program
//   offset  offset in the segment in bytes
//   size    size in bytes
//   event   NULL, or an event, which has happened on return
// Order: another program sees the data of a put after this program's mppa_async_fence, or after it has seen an atomic
// that this program did later on the same segment. A get does not wait for this program's puts.
// Returns: 0; -1, and nothing was done, if the range is not inside the segment, or if the segment is a queue or was
// destroyed.
// Source: Hascoet et al. 2017, 5.1. See aos_put(3), aos_get(3).

int mppa_async_put(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event);
int mppa_async_get(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event);

//@ mppa_async_put_spaced: mppa_async_put_spaced mppa_async_get_spaced mppa_async_sput_spaced mppa_async_sget_spaced
// Copies blocks that are at equal distances in a segment. With put and get the blocks are adjacent in local memory;
// with sput and sget they are at equal distances in local memory too.
//   size         size of a block in bytes
//   count        number of blocks
//   local_space  bytes from the start of a block in `local` to the start of the next block
//   space        bytes from the start of a block in the segment to the start of the next block
// Order: as mppa_async_put.
// Returns: as mppa_async_put.
// Source: Hascoet et al. 2017, 5.5. See aos_put_spaced(3), aos_put_sparse(3).

int mppa_async_put_spaced(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                          int count, size_t space, mppa_async_event_t *event);
int mppa_async_get_spaced(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int count,
                          size_t space, mppa_async_event_t *event);
int mppa_async_sput_spaced(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int count, size_t local_space, size_t space, mppa_async_event_t *event);
int mppa_async_sget_spaced(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int count,
                           size_t local_space, size_t space, mppa_async_event_t *event);

//@ mppa_async_put_block2d: mppa_async_put_block2d mppa_async_get_block2d mppa_async_sput_block2d mppa_async_sget_block2d
// Copies a rectangle of width * height elements between two arrays of rows. With put and get the rows of the rectangle
// are adjacent in local memory; with sput and sget the rectangle is part of a local array.
//   local          address of the rectangle, or of the local array
//   offset         offset of the segment's array in bytes
//   size           size of an element in bytes
//   width, height  size of the rectangle in elements
//   local_point    size of the local array (xdim, ydim) and the rectangle's first element in it (xpos, ypos), in
//                  elements. NULL: the rows of the rectangle are adjacent
//   remote_point   size of the segment's array, and the rectangle's first element in it, as in local_point
// Order: as mppa_async_put.
// Returns: as mppa_async_put; -1 also if the rectangle is not inside each of the two arrays.
// Source: Hascoet et al. 2017, 5.5. See aos_put_block2d(3).

//@ mppa_async_put_block3d: mppa_async_put_block3d mppa_async_get_block3d mppa_async_sput_block3d mppa_async_sget_block3d
// Copies a box of width * height * depth elements between two arrays of planes of rows. The arguments are as for
// mppa_async_put_block2d, with zdim and zpos too.
// Order: as mppa_async_put.
// Returns: as mppa_async_put; -1 also if the box is not inside each of the two arrays.
// Source: Hascoet et al. 2017, 5.5. See aos_put_block3d(3).

int mppa_async_put_block2d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int width, int height, const mppa_async_point2d_t *remote_point, mppa_async_event_t *event);
int mppa_async_get_block2d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                           int height, const mppa_async_point2d_t *remote_point, mppa_async_event_t *event);
int mppa_async_sput_block2d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                            int width, int height, const mppa_async_point2d_t *local_point,
                            const mppa_async_point2d_t *remote_point, mppa_async_event_t *event);
int mppa_async_sget_block2d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                            int height, const mppa_async_point2d_t *local_point,
                            const mppa_async_point2d_t *remote_point, mppa_async_event_t *event);
int mppa_async_put_block3d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int width, int height, int depth, const mppa_async_point3d_t *remote_point,
                           mppa_async_event_t *event);
int mppa_async_get_block3d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                           int height, int depth, const mppa_async_point3d_t *remote_point, mppa_async_event_t *event);
int mppa_async_sput_block3d(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                            int width, int height, int depth, const mppa_async_point3d_t *local_point,
                            const mppa_async_point3d_t *remote_point, mppa_async_event_t *event);
int mppa_async_sget_block3d(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int width,
                            int height, int depth, const mppa_async_point3d_t *local_point,
                            const mppa_async_point3d_t *remote_point, mppa_async_event_t *event);

// -- Atomics and order -------------------------------------------------------------------------------------------------

//@ mppa_async_postadd: mppa_async_postadd mppa_async_poke mppa_async_peek mppa_async_fetchadd mppa_async_fetchclear
// Does an atomic on a signed 64-bit word of a segment. The routine mppa_async_postadd adds and returns no value,
// mppa_async_poke stores, and mppa_async_peek loads. mppa_async_fetchadd adds, and mppa_async_fetchclear sets the word
// to 0; both routines give the old value.
//   offset  offset of the word in bytes, a multiple of 8
//   value   receives the value of the word; for mppa_async_poke: the value to store
//   event   NULL: the value is valid on return. Else the routine makes an event, and the value is valid after a wait or
//           test found that the event has happened
// Order: a program that sees an addition or a store also sees this program's earlier puts to the segment. Puts and
// atomics are complete after mppa_async_fence.
// Returns: 0; -1, and nothing was done, if the word is not inside the segment or not aligned, or if the segment is a
// queue or was destroyed.
// Source: Hascoet et al. 2017, 3.4 and 5.4. See aos_postadd(3), aos_poke(3), aos_peek(3), aos_fetchadd(3).

//@ mppa_async_fence: mppa_async_fence
// Completes this program's operations on segments, and makes them visible to every program.
//   segment  ignored: the routine completes the operations on all segments
//   event    NULL: the routine returns when the operations are complete. Else the event happens when they are complete
// Returns: 0; -1 if the operations were not completed.
// Source: Hascoet et al. 2017, 5.4. See aos_fence_all(3).

int mppa_async_postadd(const mppa_async_segment_t *segment, off64_t offset, long long addend);
int mppa_async_poke(const mppa_async_segment_t *segment, off64_t offset, long long value);
int mppa_async_peek(const mppa_async_segment_t *segment, off64_t offset, long long *value, mppa_async_event_t *event);
int mppa_async_fetchadd(const mppa_async_segment_t *segment, off64_t offset, long long addend, long long *value,
                        mppa_async_event_t *event);
int mppa_async_fetchclear(const mppa_async_segment_t *segment, off64_t offset, long long *value,
                          mppa_async_event_t *event);
int mppa_async_fence(const mppa_async_segment_t *segment, mppa_async_event_t *event);

// -- Queues ------------------------------------------------------------------------------------------------------------

//@ mppa_async_enqueue: mppa_async_enqueue
// Copies a message into a queue; if the queue is full, it first waits until the owner takes a message out.
//   size   size of the message in bytes, at most the size with which the queue was created
//   flags  ignored
//   event  NULL, or an event, which has happened on return
// Order: when the owner reads the message, it also sees everything that this program wrote to the owner's memory
// before.
// Returns: 0; -1, and nothing was done, if the segment is not a queue, the message is too large, or the queue was
// destroyed.
// Source: Hascoet et al. 2017, 3.2. See aos_enqueue(3).

int mppa_async_enqueue(const mppa_async_segment_t *segment, const void *message, size_t size, unsigned flags,
                       mppa_async_event_t *event);
//@ mppa_async_dequeue: mppa_async_dequeue mppa_async_discard
// Takes the oldest message out of this program's own queue. The routine copies the message to the memory that the
// program gave for the queue, where it stays until the next call. mppa_async_discard removes the oldest message without
// a copy.
//   size    for mppa_async_dequeue: 0 leaves the message in the queue as the oldest message until mppa_async_discard;
//           any other value removes it. mppa_async_discard ignores the size
//   buffer  receives the address of the message
//   event   NULL: the routine waits for a message. Else it makes an event, and the wait or test that finds that the
//           event has happened sets *buffer
// Returns: 0; -1 if the segment is not a queue or was destroyed. mppa_async_discard also returns -1 if there is no
// message, or if the queue is another program's.
// Errors: mppa_async_dequeue from another program's queue ends the job with an error message.
// Source: Hascoet et al. 2017, 3.2. See aos_dequeue(3), aos_dequeue_begin(3).

int mppa_async_dequeue(const mppa_async_segment_t *segment, size_t size, void **buffer, mppa_async_event_t *event);
int mppa_async_discard(const mppa_async_segment_t *segment, size_t size);

// -- Events ------------------------------------------------------------------------------------------------------------

//@ mppa_async_evalcond: mppa_async_evalcond
// Waits until a word of this program satisfies a condition, or makes an event for that condition.
//   local      the word, which other programs access through a segment
//   value      the value with which the word is compared
//   condition  MPPA_ASYNC_COND_EQ, _NE, _LT, _LE, _GT or _GE: the word is equal to the value, not equal, less, less or
//              equal, greater, or greater or equal
//   event      NULL: the routine waits. Else the routine makes an event, which has happened while the condition holds:
//              each wait for the event reads the word again
// Order: the load of the word is an acquire: this program sees what was written before the word.
// Returns: 0; -1 for an invalid condition.
// Source: Hascoet et al. 2017, 5.2. See aos_event_set(3).

//@ mppa_async_event_wait: mppa_async_event_wait mppa_async_event_waitall mppa_async_event_test
// Waits until an event, or each event of an array, has happened. The routine mppa_async_event_test tests an event
// without waiting.
//   event, events  events that operations have made; a program may wait for an event again after it has happened
//   count          number of events
// Order: an acquire: the data that the operation delivers is visible.
// Returns: 0 if the event, or every event, has happened. mppa_async_event_test returns -1 if the event has not happened
// yet. All routines return -1 if an operation ended with an error.
// Source: Hascoet et al. 2017, algorithm 2. See aos_event_wait(3).

int mppa_async_evalcond(const long long *local, long long value, mppa_async_cond_t condition,
                        mppa_async_event_t *event);
int mppa_async_event_wait(mppa_async_event_t *event);
int mppa_async_event_waitall(int count, mppa_async_event_t *events);
int mppa_async_event_test(mppa_async_event_t *event);

// -- The processor -----------------------------------------------------------------------------------------------------

//@ __k1_get_cluster_id: __k1_get_cluster_id __k1_get_cpu_id __k1_spawn_type __k1_spawn_id
// Returns the cluster or the core on which the caller runs, or how the master was started. Here the master is never
// started through PCI Express.
// Returns: __k1_get_cluster_id and __k1_spawn_id return the cluster, 0 to 15; 128 for the master; 192 for the second
// I/O program. __k1_get_cpu_id returns the number of the calling thread, which is 0 for the thread that set up the
// library. __k1_spawn_type returns __MPPA_MPPA_SPAWN.
// Source: Kalray's public interface.

//@ __k1_read_dsu_timestamp: __k1_read_dsu_timestamp __bsp_frequency
// Returns the time in cycles of an MPPA. __bsp_frequency is the number of cycles in a second. All programs of a job
// have the same clock.
// Returns: the number of cycles since an unspecified time.
// Source: Kalray's public interface.

int __k1_get_cluster_id(void);
int __k1_get_cpu_id(void);
uint64_t __k1_read_dsu_timestamp(void);
extern unsigned int __bsp_frequency; // frequency in Hz of the clock of __k1_read_dsu_timestamp

// Results of __k1_spawn_type: how the master was started. Here the master is never started through PCI Express.
#define __MPPA_PCI_SPAWN 1
#define __MPPA_MPPA_SPAWN 2
static inline int __k1_spawn_type(void) {
    return __MPPA_MPPA_SPAWN;
}
static inline int __k1_spawn_id(void) {
    return __k1_get_cluster_id();
}

// Called by every uncached load, because programs spin on such loads. Every 64th call of a thread yields the processor
// to other threads and programs.
void skerry_mppa_look(void);

//@ __builtin_k1_wpurge: __builtin_k1_wpurge __builtin_k1_fence __builtin_k1_dinval __builtin_k1_dinvall __builtin_k1_iinval __builtin_k1_barrier mOS_dinval
// Does an operation on the caches of an MPPA. Here caches are coherent, so each operation is only a memory fence.
// __builtin_k1_iinval and __builtin_k1_barrier do nothing.
//   ADDRESS  address of the cache line; ignored
// Returns: nothing.
// Source: Kalray's public interface.

#define __builtin_k1_wpurge() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __builtin_k1_fence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __builtin_k1_dinval() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __builtin_k1_dinvall(ADDRESS) ((void)(ADDRESS), __atomic_thread_fence(__ATOMIC_SEQ_CST))
#define __builtin_k1_iinval() ((void)0)
#define __builtin_k1_barrier() ((void)0)
#define mOS_dinval() __atomic_thread_fence(__ATOMIC_SEQ_CST)

//@ __builtin_k1_lwu: __builtin_k1_lwu __builtin_k1_lwzu __builtin_k1_lbsu __builtin_k1_lbzu __builtin_k1_lhsu __builtin_k1_lhzu __builtin_k1_ldu __builtin_k1_sbu __builtin_k1_shu __builtin_k1_swu __builtin_k1_sdu
// Loads or stores a word without the cache. The first letter after k1_ means load (l) or store (s). The second means 8
// (b), 16 (h), 32 (w) or 64 (d) bits. A later s or z in the name of a load means extension by the sign or by zeros.
//   ADDRESS  address of the word, a multiple of its size; a pointer of any type
//   VALUE    an integer
// Order: sequentially consistent.
// Returns: a load returns the word. __builtin_k1_lwzu returns an int, as __builtin_k1_lwu does.
// Source: Kalray's public interface.

//@ __builtin_k1_afdau: __builtin_k1_afdau __builtin_k1_afaddd __builtin_k1_afaddw __builtin_k1_aldcu __builtin_k1_ldc __builtin_k1_alclrd __builtin_k1_alclrw
// Does an atomic on memory that this program can load from. The operations afdau and afaddd (64 bits) and afaddw (32
// bits) fetch and add. aldcu, ldc and alclrd (64 bits) and alclrw (32 bits) load and clear.
//   ADDRESS  address of the word, a multiple of its size; a pointer of any type
//   VALUE    the value to add
// Order: sequentially consistent.
// Returns: the old value, a long long (64 bits) or an int (32 bits).
// Source: Kalray's public interface.

#define SKERRY_MPPA_LOAD(NAME, TYPE)                                                                                   \
    static inline TYPE skerry_mppa_##NAME(const volatile void *address) {                                              \
        skerry_mppa_look();                                                                                            \
        return __atomic_load_n((const volatile TYPE *)address, __ATOMIC_SEQ_CST);                                      \
    }
SKERRY_MPPA_LOAD(lbsu, signed char)
SKERRY_MPPA_LOAD(lbzu, unsigned char)
SKERRY_MPPA_LOAD(lhsu, short)
SKERRY_MPPA_LOAD(lhzu, unsigned short)
SKERRY_MPPA_LOAD(lwu, int)
SKERRY_MPPA_LOAD(ldu, long long)
#undef SKERRY_MPPA_LOAD
#define __builtin_k1_lbsu(ADDRESS) skerry_mppa_lbsu(ADDRESS)
#define __builtin_k1_lbzu(ADDRESS) skerry_mppa_lbzu(ADDRESS)
#define __builtin_k1_lhsu(ADDRESS) skerry_mppa_lhsu(ADDRESS)
#define __builtin_k1_lhzu(ADDRESS) skerry_mppa_lhzu(ADDRESS)
#define __builtin_k1_lwu(ADDRESS) skerry_mppa_lwu(ADDRESS)
#define __builtin_k1_lwzu(ADDRESS) skerry_mppa_lwu(ADDRESS)
#define __builtin_k1_ldu(ADDRESS) skerry_mppa_ldu(ADDRESS)
#define __builtin_k1_sbu(ADDRESS, VALUE) __atomic_store_n((signed char *)(ADDRESS), VALUE, __ATOMIC_SEQ_CST)
#define __builtin_k1_shu(ADDRESS, VALUE) __atomic_store_n((short *)(ADDRESS), VALUE, __ATOMIC_SEQ_CST)
#define __builtin_k1_swu(ADDRESS, VALUE) __atomic_store_n((int *)(ADDRESS), VALUE, __ATOMIC_SEQ_CST)
#define __builtin_k1_sdu(ADDRESS, VALUE) __atomic_store_n((long long *)(ADDRESS), VALUE, __ATOMIC_SEQ_CST)
#define __builtin_k1_afdau(ADDRESS, VALUE) __atomic_fetch_add((long long *)(ADDRESS), VALUE, __ATOMIC_SEQ_CST)
#define __builtin_k1_afaddd(ADDRESS, VALUE) __builtin_k1_afdau(ADDRESS, VALUE)
#define __builtin_k1_afaddw(ADDRESS, VALUE) __atomic_fetch_add((int *)(ADDRESS), VALUE, __ATOMIC_SEQ_CST)
#define __builtin_k1_aldcu(ADDRESS) __atomic_exchange_n((long long *)(ADDRESS), 0, __ATOMIC_SEQ_CST)
#define __builtin_k1_ldc(ADDRESS) __builtin_k1_aldcu(ADDRESS)
#define __builtin_k1_alclrd(ADDRESS) __builtin_k1_aldcu(ADDRESS)
#define __builtin_k1_alclrw(ADDRESS) __atomic_exchange_n((int *)(ADDRESS), 0, __ATOMIC_SEQ_CST)

#ifdef __cplusplus
}
#endif

#endif
