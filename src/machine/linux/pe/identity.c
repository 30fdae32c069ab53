// SPDX-License-Identifier: BSD-3-Clause
// Identifies the program and the build of the library. All PEs of a job must have the same, also on other nodes.
//
// Two numbers identify the program:
// * A hash of the ELF program headers and of the notes, which include the build identifier if the linker has written
//   one. They are in the process's memory, so this number always exists.
// * A hash of the file: its size, and its first and last SAMPLE_BYTES bytes. So a file of at most two times SAMPLE_BYTES
//   is hashed as a whole, and the time does not depend on the size of larger files.
// The hashes do not protect against an attacker. They do not contain the addresses at which the program is loaded,
// because processes can have their static data at different addresses (start.c).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "skerry_library_sources.h"

#define SAMPLE_BYTES ((off_t)512 << 10)
#define BLOCK_BYTES ((size_t)16 << 10)

// -- The program -------------------------------------------------------------------------------------------------------

// Multiplies and rotates words of 8 bytes.
uint64_t skerry_hash(uint64_t hash, const void *data, size_t bytes) {
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
    uint64_t hash = skerry_hash(1, info->dlpi_phdr, info->dlpi_phnum * sizeof *info->dlpi_phdr);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_NOTE && is_loaded(info, header))
            hash = skerry_hash(hash, (const void *)(info->dlpi_addr + header->p_vaddr), header->p_memsz);
    }
    *(uint64_t *)result = hash;
    return 1;
}

static bool hash_range(int file, off_t at, off_t end, uint64_t *hash) {
    char block[BLOCK_BYTES];
    while (at < end) {
        const size_t wanted = end - at < (off_t)sizeof block ? (size_t)(end - at) : sizeof block;
        if (pread(file, block, wanted, at) != (ssize_t)wanted) return false;
        *hash = skerry_hash(*hash, block, wanted);
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
        hash = skerry_hash(0, &facts.st_size, sizeof facts.st_size);
        is_read = hash_range(file, 0, first_end, &hash) && hash_range(file, last, facts.st_size, &hash);
    }
    close(file);
    return is_read ? hash | 1 : 0;
}

const struct skerry_program *skerry_program(void) {
    static struct skerry_program own;
    if (own.headers) return &own;
    own.file = hash_file();
    dl_iterate_phdr(hash_headers, &own.headers);
    return &own;
}

// -- The build ---------------------------------------------------------------------------------------------------------

const char *skerry_build(void) {
    return SKERRY_VERSION "-" SKERRY_LIBRARY_SOURCES SKERRY_LAYOUT_NAME;
}

// Returns the name of the file that contains this library.
static const char *library_file(void) {
    static const char here_is_data = 0;
    Dl_info here;
    return dladdr(&here_is_data, &here) && here.dli_fname ? here.dli_fname : "this program";
}

void skerry_check_build(const char *description) {
    char node[65] = "this node";
    const char *build = strstr(description, "build=");
    build = build ? build + strlen("build=") : "unknown";
    const size_t length = strcspn(build, ",");
    if (strlen(skerry_build()) == length && strncmp(build, skerry_build(), length) == 0) return;
    gethostname(node, sizeof node - 1);
    // The number of this node is not known yet. Nodes usually have as many PEs as this one.
    skerry_await_turn(skerry_facts.near_first / (int)skerry_facts.near_count, true);
    skerry_refuse(
        "node %s: %s has version %s of Skerry, and the oshrun of this node is made for version %.*s; all nodes "
        "must have the same version",
        node, library_file(), skerry_build(), (int)length, build);
}

// The text in the control block is written before the exchange, which is a release, so a process that reads the number
// reads the complete text. The number of the PE has 16 bits, which is enough for SKERRY_PES_MAX.
void skerry_compare_builds(void) {
    struct skerry_control *own = skerry_control_of(skerry_facts.my_pe);
    const char *volatile text = skerry_build(); // not folded by the compiler: a test changes the text in the file
    const char *build = text;
    snprintf(own->build, sizeof own->build, "%s", build);
    const uint64_t mine = skerry_hash(0, build, strlen(build)) << 16 | (skerry_window(skerry_facts.my_pe) + 1);
    uint64_t common = 0;
    if (__atomic_compare_exchange_n(&skerry_first_control()->common_build, &common, mine, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE) ||
        common >> 16 == mine >> 16)
        return;
    const int other = skerry_facts.near_first + (int)(common & 0xffff) - 1;
    skerry_refuse(
        "%s has version %s of Skerry, and PE %d on this node uses version %.*s; all PEs must use the same version",
        library_file(), build, other, (int)sizeof own->build - 1, skerry_control_of(other)->build);
}
