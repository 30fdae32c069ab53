// SPDX-License-Identifier: BSD-3-Clause
// The names under which programs for Kalray's MPPA (Andey, Bostan) use asynchronous one-sided operations, over aos.h: an I/O
// program, the master, whose memory is the DDR, starts programs on clusters 0 to 15; each is a process of its own here, and
// segments, queues and barriers are all that ties them. Names, types and the order of arguments are those that published
// programs use; what each operation does is said in aos.h and docs/guide/mppa.md. Functions return 0, or -1 where they
// did nothing.
#ifndef MPPA_ASYNC_H
#define MPPA_ASYNC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <aos.h>

#ifdef __cplusplus
extern "C" {
#endif

// Known to C libraries only when asked for; the same type again otherwise.
typedef __off64_t off64_t;

// A note in the program's file (ELF's form): it starts the job's other programs, so oshrun starts it once if not told otherwise.
__attribute__((section(".note.skerry"), used, aligned(4))) static const struct {
    uint32_t name_bytes, text_bytes, type;
    char name[8];
    uint32_t text;
} skerry_mppa_note = {7, 4, 1, "Skerry", 1};

// -- Places ------------------------------------------------------------------------------------------------------------

#define MPPA_CLUSTERS 16

// Whose memory a default segment is.
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
    MPPA_ASYNC_SERVER_DDR1 = MPPA_ASYNC_SERVER_IO1 // the master's where no second I/O program was started
};

#define MPPA_ASYNC_DDR_0 (mppa_async_default_segment(MPPA_ASYNC_SERVER_DDR0))
#define MPPA_ASYNC_DDR_1 (mppa_async_default_segment(MPPA_ASYNC_SERVER_DDR1))
#define MPPA_ASYNC_SMEM_0 (mppa_async_default_segment(MPPA_ASYNC_SERVER_CC0))

// -- Types -------------------------------------------------------------------------------------------------------------

typedef struct {
    unsigned long long ident;
    void *phys_base; // of its creator; 0 for a default segment, whose offsets are addresses
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

// Creation: a queue, on whichever channel.
#define MPPA_ASYNC_SEGMENT_FLAG_QUEUE0 1u
#define MPPA_ASYNC_SEGMENT_FLAG_QUEUE1 2u
#define MPPA_ASYNC_SEGMENT_FLAG_QUEUE2 4u
#define MPPA_ASYNC_SEGMENT_FLAG_QUEUE3 8u

typedef struct {
    aos_event_t happening;
    const mppa_async_segment_t *queue; // of a dequeue
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

// Where a block lies in an array: its first element, and the size of the array, in elements.
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
// Set-up, serving and end in an I/O program. The first says how many clusters there are. From mppa_async_server_init to
// mppa_async_server_final the program may use segments. With mppa_rpc_server_start, the same as mppa_rpc_server, it waits
// until all clusters are done; that may be a task's function. Others are served all the time, by a thread of the library's, and
// mppa_rpc_server_set_nb_rm and mppa_rpc_server_free do nothing.
//   nb_cluster      clusters 0 to nb_cluster - 1 take part, 1 to 16 of them
//   rm, ddr_offset  where the server runs and what it adds to addresses: without meaning here
//   count           without meaning here
// Returns: 0; -1 where segments are not to be had.
// Errors: a call in a cluster's program, or another number of clusters, ends the job with a line. So does the use of segments
// outside the two calls.
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
// Set-up and end in a cluster's program. From mppa_async_init to mppa_async_final it may use segments; the latter completes its
// operations, destroys its segments, and tells the master that this cluster is done. The others do nothing.
// Returns: 0; -1 where segments are not to be had.
// Errors: a call in an I/O program, or in one that no master started, ends the job with a line.
// Source: Kalray's public interface. See aos_init(3).

int mppa_rpc_client_init(void);
int mppa_async_init(void);
int mppa_async_final(void);
int mppa_rpc_client_free(void);
#define mppa_rpc_client_final mppa_rpc_client_free

//@ mppa_rpc_barrier_all: mppa_rpc_barrier_all mppa_rpc_barrier
// Waits until all have come. With mppa_rpc_barrier_all these are all clusters of mppa_rpc_server_init, with mppa_rpc_barrier
// some programs, of which the master may be one. Completes the caller's operations on segments first.
//   clusters  a set of bits that names the barrier: those who give the same one meet; not 0; up to 64 sets in a job
//   count     how many callers there are
// Returns: 0; -1: no set, no callers, or too many sets.
// Errors: mppa_rpc_barrier_all in the master, or where a cluster has ended without having come, ends the job with a line.
// Source: Kalray's public interface.

int mppa_rpc_barrier_all(void);
int mppa_rpc_barrier(unsigned long long clusters, int count);

#define MPPA_RPC_CLUSTER_MAX_REQUEST 16

// -- Programs of clusters ----------------------------------------------------------------------------------------------

typedef int mppa_power_pid_t;
#define MPPA_POWER_SHUFFLING_DISABLED 0
#define MPPA_POWER_SHUFFLING_ENABLED 1

//@ mppa_power_base_spawn: mppa_power_base_spawn mppa_power_base_waitpid
// Starts a program on a cluster, and waits for its end. Only the master does.
//   cluster      0 to 15; 192: the second I/O program
//   program      a path, or a name that is looked for beside the master's file, in the working directory, and in `PATH`
//   arguments    main gets exactly these, the name too; ends with NULL. NULL: the name alone
//   environment  ends with NULL. NULL: the master's
//   status       NULL, or where the exit code goes
//   flags, options  without meaning here
// Returns: the cluster; -1: the program could not be started, which a line says, or none was.
// Errors: a call in another program, and a cluster that there is not, end the job with a line. So does a program that is killed.
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
// Makes a segment, or a queue, of memory of this program's under a number; finds one by its number; ends it. To clone waits until
// it is created. To destroy a clone gives that up.
//   segment  becomes this program's handle
//   ident    number in the job, among segments and queues; below UINT64_MAX - 1
//   local    the memory, `size` bytes of it; a queue shows its messages there
//   size     in bytes, not 0; of a queue the size of the largest message. Of a clone: without meaning here
//   flags    0; one of MPPA_ASYNC_SEGMENT_FLAG_QUEUE0 to _QUEUE3: a queue
//   event    NULL, or one that has happened on return
//   multi, global  without meaning here
// Returns: 0; -1: nothing was done.
// Errors: a number that is taken ends the job with a line.
// Source: Hascoet et al. 2017, section 3. See aos_segment_create(3), aos_segment_clone(3), aos_queue_create(3).

int mppa_async_segment_create(mppa_async_segment_t *segment, unsigned long long ident, void *local, size_t size,
                              unsigned flags, int multi, mppa_async_event_t *event);
int mppa_async_segment_clone(mppa_async_segment_t *segment, unsigned long long ident, void *global, size_t size,
                             mppa_async_event_t *event);
int mppa_async_segment_destroy(mppa_async_segment_t *segment);
//@ mppa_async_default_segment: mppa_async_default_segment
// The segment of all memory of a program. Offsets are addresses there. MPPA_ASYNC_DDR_0, MPPA_ASYNC_DDR_1 and MPPA_ASYNC_SMEM_0
// are those of the master, of the second I/O program (the master's where there is none), and of cluster 0. The program
// need not have been started: the first operation waits until it uses segments.
//   server  0 to 15: a cluster; MPPA_ASYNC_SERVER_DDR0 or _IO0, MPPA_ASYNC_SERVER_DDR1 or _IO1: an I/O program
// Returns: the segment, which is the library's.
// Errors: another number ends the job with a line.
// Source: Kalray's public interface. See aos_segment_of_pe(3).

mppa_async_segment_t *mppa_async_default_segment(int server);
//@ mppa_async_offset: mppa_async_offset mppa_async_address
// The offset of an address in a segment, and the address of an offset, both in the program that created the segment.
//   offset   in bytes; of a default segment it is the address
//   address  of mppa_async_address: where the address goes, a pointer to a pointer of any type
// Returns: 0; -1: not in the segment.
// Source: Kalray's public interface. See aos_offset(3), aos_pointer(3).

int mppa_async_offset(const mppa_async_segment_t *segment, const void *address, off64_t *offset);
int mppa_async_address(const mppa_async_segment_t *segment, off64_t offset, void *address);
#define mppa_async_address(SEGMENT, OFFSET, ADDRESS) (mppa_async_address)(SEGMENT, OFFSET, (void *)(ADDRESS))

//@ mppa_async_malloc: mppa_async_malloc mppa_async_memalign mppa_async_free mppa_async_smalloc mppa_async_smemalign mppa_async_sfree
// Memory of the DDR's: allocates; frees, from any program. Every program can load from it and store to it at the address that is
// its offset. As much as SHMEM_SYMMETRIC_SIZE says.
//   segment    MPPA_ASYNC_DDR_0 or MPPA_ASYNC_DDR_1, which have one heap
//   alignment  a power of two, at most 1 GB, or 0
//   size       in bytes
//   offset     where the offset goes; to free: the offset
//   event      NULL, or one that has happened on return
// Returns: 0; -1: no room, another segment, or no such alignment.
// Errors: freeing what is not the start of a block ends the job with a line.
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
// Copies to a segment, or from one.
//   local   any memory of this program
//   offset  in bytes
//   size    in bytes
//   event   NULL, or one that has happened on return
// Order: a put is complete for other programs after mppa_async_fence, or when they see an atomic that this program did on the
// segment afterwards. A get does not wait for this program's puts.
// Returns: 0; -1: outside the segment, a queue, or gone: nothing was done.
// Source: Hascoet et al. 2017, 5.1. See aos_put(3), aos_get(3).

int mppa_async_put(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event);
int mppa_async_get(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event);

//@ mppa_async_put_spaced: mppa_async_put_spaced mppa_async_get_spaced mppa_async_sput_spaced mppa_async_sget_spaced
// Copies blocks that lie apart in a segment. In local memory they are dense, or, with sput and sget, apart too.
//   size         of a block in bytes
//   count        how many
//   local_space  bytes from the start of a block in `local` to that of the next
//   space        the same in the segment
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
// Copies a rectangle of width * height elements between two arrays of rows. In local memory it is dense, or, with sput and
// sget, part of an array.
//   local          address of the rectangle, or of the local array
//   offset         of the segment's array, in bytes
//   size           of an element in bytes
//   width, height  of the rectangle in elements
//   local_point    the local array's xdim * ydim, and where in it the rectangle begins (xpos, ypos), in elements; NULL: it is dense
//   remote_point   the same for the segment's array
// Order: as mppa_async_put.
// Returns: as mppa_async_put; -1 also where the rectangle leaves one of the arrays.
// Source: Hascoet et al. 2017, 5.5. See aos_put_block2d(3).

//@ mppa_async_put_block3d: mppa_async_put_block3d mppa_async_get_block3d mppa_async_sput_block3d mppa_async_sget_block3d
// Copies a box of width * height * depth elements between two arrays of planes of rows. Arguments: as mppa_async_put_block2d,
// with zdim and zpos.
// Order: as mppa_async_put.
// Returns: as mppa_async_put; -1 also where the box leaves one of the arrays.
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
// Atomics on signed 64-bit words of a segment. They add without an answer; store; load; add, or set to 0, and the value before
// goes to `value`.
//   offset  of the word in bytes, a multiple of 8
//   value   where the word's value goes; of mppa_async_poke: what is stored
//   event   NULL: the value is there on return; else once the event was seen to have happened
// Order: whoever sees an addition or a store sees this program's earlier puts to the segment. Complete after mppa_async_fence.
// Returns: 0; -1: outside the segment, not aligned, a queue, or gone: nothing was done.
// Source: Hascoet et al. 2017, 3.4 and 5.4. See aos_postadd(3), aos_poke(3), aos_peek(3), aos_fetchadd(3).

//@ mppa_async_fence: mppa_async_fence
// Completes what this program has outstanding on segments, and makes it visible to every program.
//   segment  without meaning here: all are completed
//   event    NULL: returns when that is so; else the event happens then
// Returns: 0; -1: it was not completed.
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
// Copies a message into a queue, and waits for room.
//   size   of the message in bytes, at most the queue's
//   flags  without meaning here
//   event  NULL, or one that has happened on return
// Order: what this program wrote to the queue's owner before is there when the message is read.
// Returns: 0; -1: no queue, too large, or gone: nothing was done.
// Source: Hascoet et al. 2017, 3.2. See aos_enqueue(3).

int mppa_async_enqueue(const mppa_async_segment_t *segment, const void *message, size_t size, unsigned flags,
                       mppa_async_event_t *event);
//@ mppa_async_dequeue: mppa_async_dequeue mppa_async_discard
// Takes the oldest message out of this program's own queue. It is copied to the queue's own memory, where it stays until the next
// call. mppa_async_discard drops the oldest message.
//   size    of mppa_async_dequeue: 0: the message stays the oldest one until mppa_async_discard. Else without meaning here
//   buffer  where the message's address goes
//   event   NULL: waits for a message; else *buffer is set once the event was seen to have happened
// Returns: 0; -1: no queue, or gone; mppa_async_discard: no message, or another program's queue.
// Errors: mppa_async_dequeue from another program's queue ends the job with a line.
// Source: Hascoet et al. 2017, 3.2. See aos_dequeue(3), aos_dequeue_begin(3).

int mppa_async_dequeue(const mppa_async_segment_t *segment, size_t size, void **buffer, mppa_async_event_t *event);
int mppa_async_discard(const mppa_async_segment_t *segment, size_t size);

// -- Events ------------------------------------------------------------------------------------------------------------

//@ mppa_async_evalcond: mppa_async_evalcond
// Waits until a word of this program's satisfies a condition, or makes an event of that.
//   local      the word, which others reach by a segment
//   value      what it is compared with
//   condition  MPPA_ASYNC_COND_EQ, _NE, _LT, _LE, _GT or _GE: the word's relation to the value
//   event      NULL: waits now; else happens when the condition holds: each wait for it looks at the word again
// Order: acquires: what was written before the word is there.
// Returns: 0; -1: no such condition.
// Source: Hascoet et al. 2017, 5.2. See aos_event_set(3).

//@ mppa_async_event_wait: mppa_async_event_wait mppa_async_event_waitall mppa_async_event_test
// Waits until an event has happened, or all of an array, or only looks.
//   event, events  those that operations made; they may be waited for once more
//   count          how many
// Order: acquires: what the operation brings is there.
// Returns: 0: it has happened. -1: mppa_async_event_test: not yet; the others: the operation ended with an error.
// Source: Hascoet et al. 2017, algorithm 2. See aos_event_wait(3).

int mppa_async_evalcond(const long long *local, long long value, mppa_async_cond_t condition,
                        mppa_async_event_t *event);
int mppa_async_event_wait(mppa_async_event_t *event);
int mppa_async_event_waitall(int count, mppa_async_event_t *events);
int mppa_async_event_test(mppa_async_event_t *event);

// -- The processor -----------------------------------------------------------------------------------------------------

//@ __k1_get_cluster_id: __k1_get_cluster_id __k1_get_cpu_id __k1_spawn_type __k1_spawn_id
// Where this code runs, and how the master was started. That is never through PCI Express here.
// Returns: __k1_get_cluster_id, and __k1_spawn_id: the cluster, 0 to 15, or 128 and 192 for the I/O programs. __k1_get_cpu_id:
// the number of the calling thread, 0 for the one that set up. __k1_spawn_type: __MPPA_MPPA_SPAWN.
// Source: Kalray's public interface.

//@ __k1_read_dsu_timestamp: __k1_read_dsu_timestamp __bsp_frequency
// The time in cycles of an MPPA, of which __bsp_frequency make a second. All programs of a job have the same clock.
// Returns: cycles, from no particular moment on.
// Source: Kalray's public interface.

int __k1_get_cluster_id(void);
int __k1_get_cpu_id(void);
uint64_t __k1_read_dsu_timestamp(void);
extern unsigned int __bsp_frequency; // of that time stamp, in Hz

// How the master was started: never through PCI Express here.
#define __MPPA_PCI_SPAWN 1
#define __MPPA_MPPA_SPAWN 2
static inline int __k1_spawn_type(void) {
    return __MPPA_MPPA_SPAWN;
}
static inline int __k1_spawn_id(void) {
    return __k1_get_cluster_id();
}

// Programs spin on an uncached load: every so often it lets other threads and programs run.
void skerry_mppa_look(void);

//@ __builtin_k1_wpurge: __builtin_k1_wpurge __builtin_k1_fence __builtin_k1_dinval __builtin_k1_dinvall __builtin_k1_iinval __builtin_k1_barrier mOS_dinval
// Operations on caches. Those are coherent here: what remains is a fence, and nothing of __builtin_k1_iinval and
// __builtin_k1_barrier.
//   ADDRESS  of the line, without meaning here
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
// Uncached loads and stores. The names say load or store (l, s), of 8, 16, 32 or 64 bits (b, h, w, d), and what a shorter load
// is filled with: the sign or zeros (s, z).
//   ADDRESS  of the word, a multiple of its size; any pointer
//   VALUE    an integer
// Order: sequentially consistent.
// Returns: loads: the word; __builtin_k1_lwzu as an int too.
// Source: Kalray's public interface.

//@ __builtin_k1_afdau: __builtin_k1_afdau __builtin_k1_afaddd __builtin_k1_afaddw __builtin_k1_aldcu __builtin_k1_ldc __builtin_k1_alclrd __builtin_k1_alclrw
// Atomics on memory that this program can load from. Fetch and add (afdau, afaddd: 64 bits; afaddw: 32), load and clear (aldcu,
// ldc, alclrd: 64 bits; alclrw: 32).
//   ADDRESS  of the word, a multiple of its size; any pointer
//   VALUE    what is added
// Order: sequentially consistent.
// Returns: the value before, a long long or an int.
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
