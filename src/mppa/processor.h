// SPDX-License-Identifier: BSD-3-Clause
// Declares routines about the processor, under the names of Kalray's MPPA: the cluster (group of cores), the core and
// the time; operations on caches; uncached loads and stores; atomics on memory. mppa_async.h includes this header.
#ifndef SKERRY_MPPA_PROCESSOR_H
#define SKERRY_MPPA_PROCESSOR_H

//@ __k1_get_cluster_id: __k1_get_cluster_id __k1_get_cpu_id __k1_spawn_type __k1_spawn_id
// Returns the cluster or the core on which the caller runs, or how the program was started.
// Returns: __k1_get_cluster_id and __k1_spawn_id return the cluster, 0 to 15; 128 for the master; 192 for the second
// I/O program. __k1_get_cpu_id returns the number of the calling thread. It is 0 for the thread that set up the
// library. __k1_spawn_type returns __MPPA_PCI_SPAWN in a master that a host program has started
// (pcie_load_io_exec_args_mb(3)), and __MPPA_MPPA_SPAWN in all other programs.
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

// Results of __k1_spawn_type.
#define __MPPA_PCI_SPAWN 1
#define __MPPA_MPPA_SPAWN 2
int __k1_spawn_type(void);
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

//@ mOS_exit: mOS_exit
// Ends the calling program, as exit does.
//   HOW     whether a host must be told; ignored
//   STATUS  the exit code, of which the lowest 8 bits are used
// Source: Kalray's public interface.

#define mOS_exit(HOW, STATUS) ((void)(HOW), exit(STATUS))

//@ __builtin_k1_lwu: __builtin_k1_lwu __builtin_k1_lwzu __builtin_k1_lbsu __builtin_k1_lbzu __builtin_k1_lhsu __builtin_k1_lhzu __builtin_k1_ldu __builtin_k1_sbu __builtin_k1_shu __builtin_k1_swu __builtin_k1_sdu
// Loads or stores a word without the cache. In a name, the first letter after k1_ means load (l) or store (s). The
// second letter means 8 (b), 16 (h), 32 (w) or 64 (d) bits. In the name of a load, a later s or z means extension by
// the sign or by zeros.
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

#endif
