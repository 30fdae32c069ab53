// SPDX-License-Identifier: BSD-3-Clause
// Checks what the processes of a job must have in common, in a job that a process manager (such as srun) has started:
// the version of the library, the program, and the size of the symmetric heap. Each process sends its identity with a
// message that the start needs anyway (managed_node.c, managed_exchange.c).
//
// Two numbers identify the program:
// * A hash of the ELF program headers and of the notes, which include the build identifier if the linker has written
//   one. They are in the process's memory, so this number always exists.
// * A hash of the file: its size, and its first and last SAMPLE_BYTES bytes. So a file of at most two times SAMPLE_BYTES
//   is hashed as a whole, and the time does not depend on the size of larger files.
// The hashes do not protect against an attacker. They do not contain the addresses at which the program is loaded,
// because processes can have their static data at different addresses (start.c).
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "managed_internal.h"

#define SAMPLE_BYTES ((off_t)512 << 10)
#define BLOCK_BYTES ((size_t)16 << 10)
#define OTHER_NODES_SECONDS 2 // PE 0's node reports a difference this much earlier than other nodes

// -- The program -------------------------------------------------------------------------------------------------------

// Adds `bytes` bytes to a hash: multiplies and rotates words of 8 bytes.
static uint64_t add_bytes(uint64_t hash, const void *data, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 8) {
        uint64_t word = 0;
        memcpy(&word, (const char *)data + at, bytes - at < 8 ? bytes - at : 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash << 29 | hash >> 35) + UINT64_C(0x165667b19e3779f9);
    }
    return hash;
}

// Returns true if the bytes that a program header describes are in memory.
static bool is_loaded(const struct dl_phdr_info *info, const ElfW(Phdr) * part) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && part->p_vaddr >= segment->p_vaddr &&
            part->p_vaddr + part->p_memsz <= segment->p_vaddr + segment->p_memsz)
            return true;
    }
    return false;
}

// Hashes the program headers and notes of the executable, which is the first object that the dynamic loader reports.
static int hash_headers(struct dl_phdr_info *info, size_t size, void *result) {
    (void)size;
    uint64_t hash = add_bytes(0, info->dlpi_phdr, info->dlpi_phnum * sizeof *info->dlpi_phdr);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_NOTE && is_loaded(info, header))
            hash = add_bytes(hash, (const void *)(info->dlpi_addr + header->p_vaddr), header->p_memsz);
    }
    *(uint64_t *)result = hash;
    return 1;
}

static bool hash_range(int file, off_t at, off_t end, uint64_t *hash) {
    char block[BLOCK_BYTES];
    while (at < end) {
        const size_t wanted = end - at < (off_t)sizeof block ? (size_t)(end - at) : sizeof block;
        if (pread(file, block, wanted, at) != (ssize_t)wanted) return false;
        *hash = add_bytes(*hash, block, wanted);
        at += (off_t)wanted;
    }
    return true;
}

// Returns the hash of the executable's file. Returns 0 if this process cannot read the file, for example because the
// user may only execute it.
static uint64_t hash_file(void) {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    struct stat facts;
    uint64_t hash = 0;
    bool is_read = fstat(file, &facts) == 0;
    if (is_read) {
        const off_t first_end = facts.st_size < SAMPLE_BYTES ? facts.st_size : SAMPLE_BYTES;
        const off_t last = facts.st_size - SAMPLE_BYTES > first_end ? facts.st_size - SAMPLE_BYTES : first_end;
        hash = add_bytes(0, &facts.st_size, sizeof facts.st_size);
        is_read = hash_range(file, 0, first_end, &hash) && hash_range(file, last, facts.st_size, &hash);
    }
    close(file);
    return is_read ? hash | 1 : 0;
}

// -- Comparing ---------------------------------------------------------------------------------------------------------

const struct skerry_identity *skerry_own_identity(void) {
    static struct skerry_identity own;
    if (own.version[0]) return &own;
    snprintf(own.version, sizeof own.version, "%s, %d", SKERRY_VERSION, SKERRY_PARTITION_SHIFT);
    own.pe = skerry_facts.my_pe;
    own.heap_bytes = skerry_facts.heap_bytes;
    dl_iterate_phdr(hash_headers, &own.program_headers);
    own.program_file = hash_file();
    return &own;
}

uint64_t skerry_managed_program(void) {
    return skerry_own_identity()->program_headers;
}

static bool is_same_program(const struct skerry_identity *a, const struct skerry_identity *b) {
    return a->program_headers == b->program_headers &&
           (a->program_file == b->program_file || a->program_file == 0 || b->program_file == 0);
}

// If a node differs from another node, one of them differs from PE 0's node, and PE 0 notices this. So PE 0 reports at
// once, and the launcher ends the other processes while they wait here. So in most cases the job has only one line.
static void let_first_node_report(void) {
    if (skerry_facts.near_first != 0) nanosleep(&(struct timespec){.tv_sec = OTHER_NODES_SECONDS}, NULL);
}

void skerry_check_identity(const struct skerry_identity *other) {
    const struct skerry_identity *own = skerry_own_identity();
    const char *own_node = skerry_managed_node_name(own->pe), *other_node = skerry_managed_node_name(other->pe);
    if (strncmp(other->version, own->version, sizeof own->version) != 0) {
        let_first_node_report();
        skerry_refuse("PE %d uses version %.*s of Skerry, and PE %d uses version %s; all PEs must use the same version",
                      other->pe, (int)sizeof other->version - 1, other->version, own->pe, own->version);
    }
    if (!is_same_program(own, other)) {
        let_first_node_report();
        skerry_refuse("PE %d on node %s runs another program than PE %d on node %s: their files differ; all PEs of a "
                      "job must run the same program",
                      other->pe, other_node, own->pe, own_node);
    }
    if (other->heap_bytes != own->heap_bytes) {
        let_first_node_report();
        skerry_refuse(
            "SHMEM_SYMMETRIC_SIZE: the symmetric heap has %llu bytes on PE %d and %llu on PE %d; it must have "
            "the same size on all PEs",
            (unsigned long long)own->heap_bytes, own->pe, (unsigned long long)other->heap_bytes, other->pe);
    }
}
