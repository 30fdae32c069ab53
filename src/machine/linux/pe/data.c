// SPDX-License-Identifier: BSD-3-Clause
// Finds the executable's static data and makes it part of this PE's partition. The pages of the data are copied to the
// job's memory file. Then the file is mapped at the addresses of these pages. So each page has two addresses: the
// program's own address, and the global address in the partition.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

static uintptr_t page_bytes(void) {
    return (uintptr_t)sysconf(_SC_PAGESIZE);
}

// Finds the static data in the executable, which is the first object that the dynamic loader reports. The static data
// is part of the executable's writable segment. It begins after the part that the loader write-protects (RELRO), and
// ends at the end of .bss.
static int find_in_executable(struct dl_phdr_info *info, size_t size, void *result) {
    (void)size;
    struct skerry_data *data = result;
    uintptr_t page = page_bytes();
    uintptr_t protected_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_GNU_RELRO) protected_end = (begin + header->p_memsz) & ~(page - 1);
        if (header->p_type == PT_LOAD && header->p_flags & PF_W) {
            data->begin = begin & ~(page - 1);
            data->file_end = begin + header->p_filesz;
            data->end = (begin + header->p_memsz + page - 1) & ~(page - 1);
        }
    }
    if (protected_end > data->begin) data->begin = protected_end;
    if (data->end < data->begin) data->end = data->begin;
    if (data->file_end < data->begin) data->file_end = data->begin;
    return 1;
}

struct skerry_data skerry_find_data(void) {
    struct skerry_data data = {0, 0, 0};
    dl_iterate_phdr(find_in_executable, &data);
    return data;
}

static void write_pages(int fd, uintptr_t from, size_t bytes, uint64_t file_offset) {
    // The pages possibly hold a sanitizer's poisoned red zones, which must be copied too. So this is a bare system
    // call, which no sanitizer checks.
    while (bytes > 0) {
        long wrote = syscall(SYS_pwrite64, fd, from, bytes, file_offset);
        if (wrote <= 0) skerry_refuse("cannot move the program's static data into shared memory: %s", strerror(errno));
        from += (size_t)wrote;
        file_offset += (uint64_t)wrote;
        bytes -= (size_t)wrote;
    }
}

// Reads the kernel's pagemap, which shows for each page whether it has ever been touched. Reads the entries of the
// pages from `from` to `end`, at most PAGEMAP_ENTRIES, and returns the number of entries. The caller writes only
// touched pages of .bss to the memory file, so the other pages take no memory there. If the kernel does not allow
// reading the pagemap, all pages count as touched.
#define PAGEMAP_ENTRIES 512

static size_t read_pagemap(int pagemap, uintptr_t from, uintptr_t end, uintptr_t page, uint64_t *entries) {
    size_t wanted = (end - from) / page < PAGEMAP_ENTRIES ? (end - from) / page : PAGEMAP_ENTRIES;
    ssize_t got =
        pagemap < 0 ? 0 : pread(pagemap, entries, wanted * sizeof *entries, (off_t)(from / page * sizeof *entries));
    if (got == (ssize_t)(wanted * sizeof *entries)) return wanted;
    for (size_t i = 0; i < wanted; i++) entries[i] = ~UINT64_C(0);
    return wanted;
}

static void write_touched_pages(int fd, uintptr_t from, uintptr_t end, uint64_t file_offset) {
    if (from >= end) return;
    uint64_t entries[PAGEMAP_ENTRIES];
    uintptr_t page = page_bytes();
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    while (from < end) {
        size_t count = read_pagemap(pagemap, from, end, page, entries);
        for (size_t i = 0; i < count; i++, from += page, file_offset += page)
            if (entries[i] >> 62) write_pages(fd, from, page, file_offset); // the page is present or swapped
    }
    if (pagemap >= 0) close(pagemap);
}

void skerry_move_data(const struct skerry_data *data, int fd, uint64_t file_offset) {
    if (data->begin == data->end) return;
    uintptr_t page = page_bytes();
    uintptr_t file_end = (data->file_end + page - 1) & ~(page - 1);
    if (file_end > data->end) file_end = data->end;
    write_pages(fd, data->begin, file_end - data->begin, file_offset);
    write_touched_pages(fd, file_end, data->end, file_offset + (file_end - data->begin));
    void *got = mmap((void *)data->begin, data->end - data->begin, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                     (off_t)file_offset);
    if (got == MAP_FAILED) skerry_refuse("cannot share the program's static data: %s", strerror(errno));
}
