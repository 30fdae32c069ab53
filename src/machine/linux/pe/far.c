// SPDX-License-Identifier: BSD-3-Clause
// Executes operations on far PEs, which are on other nodes, by the network module (../network.h). Ends the job if an
// operation names a PE that does not exist: the inline functions of machine.h call these functions for every number
// that is not a near PE's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../far.h"
#include "../network.h"
#include "internal.h"

static const struct skerry_network *network;
static struct skerry_network_host host;
volatile uint32_t skerry_has_far_operations;

// Accesses the address that the object would have in the PE's partition. No memory is mapped there, so the process gets
// a signal, and the launcher prints the place in the program's source that called the routine (crash.c). The check of
// `oshcc --check` also names the routine. The name of this function is part of the message if the program has no debug
// information.
_Noreturn static void access_to_missing_pe(const volatile void *symmetric, int pe) {
    *(volatile char *)skerry_global(symmetric, pe) = 0;
    skerry_refuse("there is no PE %d: the job has PEs 0 to %d", pe, skerry_facts.pe_count - 1);
}

static inline void check(const volatile void *symmetric, int pe) {
    if (!network || (uint32_t)pe >= (uint32_t)skerry_facts.pe_count) access_to_missing_pe(symmetric, pe);
}

// -- Names -------------------------------------------------------------------------------------------------------------

// A name is the offset of an object in a partition. Static data can have another offset in each process, so the name of
// an object there is its offset in the static data, with this bit set.
#define IN_STATIC_DATA (UINT64_C(1) << 63)

static uint64_t far_name(const volatile void *symmetric) {
    uint64_t offset = (uintptr_t)symmetric & SKERRY_PARTITION_MASK;
    uint64_t in_data = offset - skerry_facts.data_offset;
    return in_data < skerry_facts.data_end - skerry_facts.data_begin ? in_data | IN_STATIC_DATA : offset;
}

// Returns the address at which this process maps the object of a near PE. This process maps the static data of every
// near PE at the offset of its own.
static void *place(int pe, uint64_t name) {
    uint64_t offset = name & IN_STATIC_DATA ? (name & ~IN_STATIC_DATA) + skerry_facts.data_offset : name;
    return (void *)(skerry_partition(pe) + offset);
}

static void wake(int pe) {
    skerry_wake(pe);
}

static void fail(const char *text) {
    skerry_refuse("%s", text);
}

// -- The network -------------------------------------------------------------------------------------------------------

static struct skerry_wire_up *map_wire_up(void) {
    struct stat file;
    if (fstat(skerry_job.nodes_fd, &file) != 0)
        skerry_refuse("shmem_init: the file with the nodes (descriptor %d) is gone: %s", skerry_job.nodes_fd,
                      strerror(errno));
    void *memory = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, skerry_job.nodes_fd, 0);
    if (memory == MAP_FAILED) skerry_refuse("shmem_init: cannot map the file with the nodes: %s", strerror(errno));
    close(skerry_job.nodes_fd);
    return memory;
}

// Loads the module skerry/network/ucx.so from the folder of this library.
static void *load_module(void) {
    static const char name[] = "skerry/network/ucx.so";
    Dl_info here;
    char path[4096];
    if (!dladdr((const void *)&host, &here) || !here.dli_fname)
        skerry_refuse("shmem_init: cannot find the library's own folder");
    const char *slash = strrchr(here.dli_fname, '/');
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - here.dli_fname) : 0, here.dli_fname, name);
    // UCX would otherwise catch the signals of crashes, and intercept the functions that allocate memory.
    setenv("UCX_ERROR_SIGNALS", "", 0);
    setenv("UCX_MEM_EVENTS", "n", 0);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        skerry_refuse("shmem_init: this job has several nodes, and the network module cannot be loaded: %s", dlerror());
    return module;
}

// Registered with on_exit after the module was loaded, so it runs before the destructors of the module's libraries.
static void stop_network(int status, void *nothing) {
    (void)status, (void)nothing;
    if (getpid() == skerry_control_of(skerry_facts.my_pe)->process_id) network->stop();
}

void skerry_far_begin(void) {
    if (skerry_job.nodes_fd < 0) return;
    if (network) {
        network->enter();
        return;
    }
    host = (struct skerry_network_host){.my_pe = skerry_facts.my_pe,
                                        .oversubscribed = skerry_facts.oversubscribed,
                                        .wire_up = map_wire_up(),
                                        .place = place,
                                        .wake = wake,
                                        .fail = fail};
    while (skerry_nodes(host.wire_up)[host.node].first != skerry_facts.near_first) host.node++;
    skerry_network_open_function *open;
    void *symbol = dlsym(load_module(), SKERRY_NETWORK_OPEN);
    if (!symbol) skerry_refuse("shmem_init: the network module has no %s", SKERRY_NETWORK_OPEN);
    memcpy(&open, &symbol, sizeof open);
    network = open(&host);
    on_exit(stop_network, NULL);
    network->enter();
}

void skerry_far_end(void) {
    if (network) network->leave();
}

void skerry_far_progress(void) {
    if (network) network->progress();
}

void skerry_far_quiet(void) {
    network->quiet();
}

void skerry_far_fence(void) {
    network->fence();
}

// -- Operations --------------------------------------------------------------------------------------------------------

uint64_t skerry_far_atomic(enum skerry_far_operation operation, unsigned bytes, const volatile void *word,
                           uint64_t value, uint64_t expected, int pe) {
    check(word, pe);
    if (operation > SKERRY_FAR_FETCH_XOR) skerry_has_far_operations = 1;
    return network->atomic(operation, bytes, pe, far_name(word), value, expected);
}

void skerry_far_put(void *dest, const void *source, size_t bytes, int pe) {
    check(dest, pe);
    skerry_has_far_operations = 1;
    network->put(pe, far_name(dest), source, bytes);
}

void skerry_far_put_nbi(void *dest, const void *source, size_t bytes, int pe) {
    check(dest, pe);
    skerry_has_far_operations = 1;
    network->put_nbi(pe, far_name(dest), source, bytes);
}

void skerry_far_get(void *dest, const void *source, size_t bytes, int pe) {
    check(source, pe);
    network->get(dest, pe, far_name(source), bytes);
}

void skerry_far_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    check(source, pe);
    skerry_has_far_operations = 1;
    network->get_nbi(dest, pe, far_name(source), bytes);
}

void skerry_far_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe) {
    check(dest, pe);
    for (size_t i = 0; i < blocks; i++)
        skerry_far_put((char *)dest + (ptrdiff_t)i * dest_stride, (const char *)source + (ptrdiff_t)i * source_stride,
                       block_bytes, pe);
}

void skerry_far_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe) {
    check(source, pe);
    for (size_t i = 0; i < blocks; i++)
        network->get_nbi((char *)dest + (ptrdiff_t)i * dest_stride, pe,
                         far_name((const char *)source + (ptrdiff_t)i * source_stride), block_bytes);
    network->quiet();
}

const void *skerry_far_load(const volatile void *source, size_t bytes, int pe) {
    static SKERRY_PER_THREAD union {
        uint64_t word;
        long double real;
    } copy;
    check(source, pe);
    network->get(&copy, pe, far_name(source), bytes);
    return &copy;
}
