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

// In the master, for clusters 0 to nb_cluster - 1; where the server runs and what it adds to addresses do not matter here.
int mppa_rpc_server_init(int rm, int ddr_offset, int nb_cluster);
int mppa_rpc_server_set_nb_rm(int count);
int mppa_async_server_init(void);
// Returns when all clusters are done; may be a task's function.
int mppa_rpc_server_start(void);
int mppa_rpc_server(void);
int mppa_async_server_final(void);
int mppa_rpc_server_free(void);
#define mppa_rpc_server_final mppa_rpc_server_free

// In a cluster's program.
int mppa_rpc_client_init(void);
int mppa_async_init(void);
int mppa_async_final(void);
int mppa_rpc_client_free(void);
#define mppa_rpc_client_final mppa_rpc_client_free

// Among all clusters of mppa_rpc_server_init; among `count` callers that name the same clusters.
int mppa_rpc_barrier_all(void);
int mppa_rpc_barrier(unsigned long long clusters, int count);

#define MPPA_RPC_CLUSTER_MAX_REQUEST 16

// -- Programs of clusters ----------------------------------------------------------------------------------------------

typedef int mppa_power_pid_t;
#define MPPA_POWER_SHUFFLING_DISABLED 0
#define MPPA_POWER_SHUFFLING_ENABLED 1

// The program's main gets exactly these arguments. Returns the cluster, or -1.
mppa_power_pid_t mppa_power_base_spawn(int cluster, const char *program, const char *const *arguments,
                                       const char *const *environment, int flags);
#ifndef __cplusplus
#define mppa_power_base_spawn(CLUSTER, PROGRAM, ARGUMENTS, ENVIRONMENT, FLAGS)                                         \
    (mppa_power_base_spawn)(CLUSTER, PROGRAM, (const char *const *)(ARGUMENTS), (const char *const *)(ENVIRONMENT),    \
                            FLAGS)
#endif
// Waits for the end of the program; its exit code goes to *status. Returns the cluster, or -1.
mppa_power_pid_t mppa_power_base_waitpid(mppa_power_pid_t cluster, int *status, int options);

// -- Segments ----------------------------------------------------------------------------------------------------------

int mppa_async_segment_create(mppa_async_segment_t *segment, unsigned long long ident, void *local, size_t size,
                              unsigned flags, int multi, mppa_async_event_t *event);
// Waits until it is created.
int mppa_async_segment_clone(mppa_async_segment_t *segment, unsigned long long ident, void *global, size_t size,
                             mppa_async_event_t *event);
int mppa_async_segment_destroy(mppa_async_segment_t *segment);
// All memory of a cluster or an I/O program.
mppa_async_segment_t *mppa_async_default_segment(int server);
int mppa_async_offset(const mppa_async_segment_t *segment, const void *address, off64_t *offset);
int mppa_async_address(const mppa_async_segment_t *segment, off64_t offset, void *address);
#define mppa_async_address(SEGMENT, OFFSET, ADDRESS) (mppa_async_address)(SEGMENT, OFFSET, (void *)(ADDRESS))

// Memory of the DDR's: every program can load from it and store to it at the address that is its offset.
int mppa_async_malloc(const mppa_async_segment_t *segment, size_t size, off64_t *offset, mppa_async_event_t *event);
int mppa_async_memalign(const mppa_async_segment_t *segment, size_t alignment, size_t size, off64_t *offset,
                        mppa_async_event_t *event);
int mppa_async_free(const mppa_async_segment_t *segment, off64_t offset, mppa_async_event_t *event);
#define mppa_async_smalloc mppa_async_malloc
#define mppa_async_smemalign mppa_async_memalign
#define mppa_async_sfree mppa_async_free

// -- Put and get -------------------------------------------------------------------------------------------------------

int mppa_async_put(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event);
int mppa_async_get(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                   mppa_async_event_t *event);

// Blocks that lie `space` bytes apart in the segment; in local memory they are dense, or `local_space` apart.
int mppa_async_put_spaced(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                          int count, size_t space, mppa_async_event_t *event);
int mppa_async_get_spaced(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int count,
                          size_t space, mppa_async_event_t *event);
int mppa_async_sput_spaced(const void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size,
                           int count, size_t local_space, size_t space, mppa_async_event_t *event);
int mppa_async_sget_spaced(void *local, const mppa_async_segment_t *segment, off64_t offset, size_t size, int count,
                           size_t local_space, size_t space, mppa_async_event_t *event);

// Blocks of elements of `size` bytes.
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

int mppa_async_postadd(const mppa_async_segment_t *segment, off64_t offset, long long addend);
int mppa_async_poke(const mppa_async_segment_t *segment, off64_t offset, long long value);
int mppa_async_peek(const mppa_async_segment_t *segment, off64_t offset, long long *value, mppa_async_event_t *event);
int mppa_async_fetchadd(const mppa_async_segment_t *segment, off64_t offset, long long addend, long long *value,
                        mppa_async_event_t *event);
int mppa_async_fetchclear(const mppa_async_segment_t *segment, off64_t offset, long long *value,
                          mppa_async_event_t *event);
int mppa_async_fence(const mppa_async_segment_t *segment, mppa_async_event_t *event);

// -- Queues ------------------------------------------------------------------------------------------------------------

int mppa_async_enqueue(const mppa_async_segment_t *segment, const void *message, size_t size, unsigned flags,
                       mppa_async_event_t *event);
// The owner's: copies the next message into the queue's own memory, which *buffer then shows, until the next call. With a size
// of 0 the message stays the next one until mppa_async_discard.
int mppa_async_dequeue(const mppa_async_segment_t *segment, size_t size, void **buffer, mppa_async_event_t *event);
int mppa_async_discard(const mppa_async_segment_t *segment, size_t size);

// -- Events ------------------------------------------------------------------------------------------------------------

// A condition on a word of this program's, waited for now or by the event; each wait for the event looks at the word again.
int mppa_async_evalcond(const long long *local, long long value, mppa_async_cond_t condition,
                        mppa_async_event_t *event);
int mppa_async_event_wait(mppa_async_event_t *event);
int mppa_async_event_waitall(int count, mppa_async_event_t *events);
// 0: it has happened.
int mppa_async_event_test(mppa_async_event_t *event);

// -- The processor -----------------------------------------------------------------------------------------------------

// 0 to 15; 128 and 192: the I/O programs.
int __k1_get_cluster_id(void);
// Of the calling thread: 0 to 15, the first thread's is 0.
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

// Caches are coherent here: what remains is the order.
#define __builtin_k1_wpurge() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __builtin_k1_fence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __builtin_k1_dinval() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __builtin_k1_dinvall(ADDRESS) ((void)(ADDRESS), __atomic_thread_fence(__ATOMIC_SEQ_CST))
#define __builtin_k1_iinval() ((void)0)
#define __builtin_k1_barrier() ((void)0)
#define mOS_dinval() __atomic_thread_fence(__ATOMIC_SEQ_CST)

// Uncached loads and stores, and the atomics: load and clear, fetch and add.
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
