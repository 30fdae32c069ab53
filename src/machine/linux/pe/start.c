// SPDX-License-Identifier: BSD-3-Clause
// Makes the process a PE, before main. Maps the partition of every PE of this node at base | pe << shift. (A partition
// is the part of the job's memory file that belongs to one PE.) Moves the static data of this process into its
// partition, and also maps it at the addresses that the program uses.
//
// The static data of two PEs can have different offsets in their partitions, for example because of address
// randomisation. But each process maps the data of all PEs at the offset of its own data. So one symmetric address is
// valid for all PEs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/membarrier.h>

#include "internal.h"

struct skerry_facts skerry_facts = {.pe_count = 1, .near_count = 1, .load_count = 1};
struct skerry_job skerry_job = {.fd = -1, .nodes_fd = -1};

// If a job has at most this number of PEs, each process maps each part of each near partition (heap, runtime's memory)
// separately. Then accesses to addresses between the parts fault. If a job has more PEs, each process maps all
// partitions of its node by one mapping, because each further mapping costs the kernel memory and time.
#define SEPARATE_MAPPINGS_MAX 64
#define RESTARTS_MAX 32
#define RESTARTS_VARIABLE "SKERRY_RESTARTS" // the number of restarts, a blank, and the name of the process
#define PROCESS_NAME_BYTES 16               // of prctl(PR_GET_NAME)

static long long number_after(const char *description, const char *name) {
    const char *at = strstr(description, name);
    if (!at)
        skerry_refuse("the environment variable %s lacks its part %s: it must be set by oshrun only; start the program "
                      "with oshrun",
                      SKERRY_JOB_VARIABLE, name);
    return strtoll(at + strlen(name), NULL, 10);
}

void skerry_note_oversubscribed(bool oversubscribed) {
    skerry_facts.oversubscribed = oversubscribed;
    skerry_facts.load_count = oversubscribed ? 0 : skerry_facts.near_count;
    if (oversubscribed) __atomic_store_n(&skerry_quiet_is_slow, 1, __ATOMIC_RELAXED);
}

void skerry_note_processors(long long at_once, long processors) {
    // The environment variable SKERRY_PROCESSORS replaces the number of processors. Tests use it to run the code for
    // machines with more processors.
    const long cpus = skerry_whole_number("SKERRY_PROCESSORS", processors);
    skerry_note_oversubscribed(at_once > cpus);
    skerry_job.sharers = skerry_facts.oversubscribed && cpus > 0 ? (uint32_t)((at_once - 1) / cpus) : 0;
}

static void read_job(const char *description) {
    skerry_job.fd = (int)number_after(description, "fd=");
    skerry_job.launched = true;
    skerry_job.id = (long)number_after(description, "job=");
    skerry_job.huge = strstr(description, "huge=1") != NULL;
    if (strstr(description, "kill_at=")) skerry_job.kill_at = (uint64_t)number_after(description, "kill_at=");
    if (strstr(description, "programs=")) skerry_program_begin((pid_t)number_after(description, "parent="));
    skerry_facts.my_pe = (int32_t)number_after(description, "pe=");
    skerry_facts.pe_count = (int32_t)number_after(description, "pes=");
    skerry_facts.near_count = (uint32_t)skerry_facts.pe_count;
    if (strstr(description, "nodes=")) {
        skerry_facts.near_first = (int32_t)number_after(description, "first=");
        skerry_facts.near_count = (uint32_t)number_after(description, "near=");
        skerry_job.nodes_fd = (int)number_after(description, "nodes=");
    }
    skerry_facts.heap_bytes = (uint64_t)number_after(description, "heap=");
    skerry_job.bound = number_after(description, "bound=") != 0;
    long long at_once = skerry_facts.pe_count; // PEs that share the processors
    if (skerry_job.programs) at_once = number_after(description, "programs=");
    else if (skerry_job.nodes_fd >= 0) at_once = number_after(description, "here=");
    skerry_note_processors(at_once, (long)number_after(description, "cpus="));
    if (skerry_facts.pe_count < 1 || skerry_facts.pe_count > SKERRY_PES_MAX || skerry_facts.my_pe < 0 ||
        skerry_facts.my_pe >= skerry_facts.pe_count || !skerry_is_near(skerry_facts.my_pe))
        skerry_refuse("PE %d of %d PEs in %s: a PE must be below the number of PEs, which must be 1 to %d; start the "
                      "program with oshrun",
                      skerry_facts.my_pe, skerry_facts.pe_count, SKERRY_JOB_VARIABLE, SKERRY_PES_MAX);
    struct stat file;
    if (fstat(skerry_job.fd, &file) != 0)
        skerry_refuse("the program has closed descriptor %d, the job's memory file, before shmem_init: %s",
                      skerry_job.fd, strerror(errno));
    uint64_t partitions = (uint64_t)file.st_size >> SKERRY_PARTITION_SHIFT;
    uint64_t pes = skerry_facts.near_count;
    if (partitions != pes && (pes != 1 || partitions != 1 + SKERRY_PROGRAMS_MAX))
        skerry_refuse("this oshrun reserves %lld GB of address space for a PE, and the library needs %llu GB; use the "
                      "oshrun that was installed with the library",
                      (long long)(file.st_size >> 30) / (long long)pes,
                      (unsigned long long)(SKERRY_PARTITION_BYTES >> 30));
}

// Makes a job of one PE, for a program that was started without a launcher. This PE can start other programs later
// (programs.c).
static void make_job(void) {
    skerry_facts.heap_bytes = skerry_heap_bytes_wanted();
    skerry_job.id = getpid();
    skerry_job.huge = skerry_is_switched_on("SKERRY_HUGE_PAGES");
    // The file has partitions (one PE's memory each) for programs that this PE can start later. Untouched partitions
    // cost no memory.
    skerry_job.fd = skerry_create_memory_file(1 + SKERRY_PROGRAMS_MAX, 1);
    if (skerry_job.fd < 0) skerry_job.fd = skerry_create_memory_file(1, 1);
    if (skerry_job.fd < 0)
        skerry_refuse("cannot make the job's memory file %llu bytes long: %s",
                      (unsigned long long)SKERRY_PARTITION_BYTES, strerror(errno));
}

static void map_range(uintptr_t at, uint64_t bytes, uint64_t file_offset, const char *what) {
    void *got =
        mmap((void *)at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, skerry_job.fd, (off_t)file_offset);
    if (got == MAP_FAILED)
        skerry_refuse("cannot map %s (%llu bytes at %#llx): %s", what, (unsigned long long)bytes,
                      (unsigned long long)at, strerror(errno));
}

static uint64_t file_offset_of(int pe, uint64_t offset) {
    return (uint64_t)skerry_window(pe) << SKERRY_PARTITION_SHIFT | offset;
}

void skerry_map_partition(int pe) {
    map_range(skerry_partition(pe) | SKERRY_CONTROL_OFFSET, SKERRY_SYSTEM_BYTES + SKERRY_REQUEST_BYTES,
              file_offset_of(pe, SKERRY_CONTROL_OFFSET), "the runtime's memory");
    if (skerry_facts.heap_bytes)
        map_range(skerry_partition(pe) | SKERRY_HEAP_OFFSET, skerry_facts.heap_bytes,
                  file_offset_of(pe, SKERRY_HEAP_OFFSET), "the symmetric heap");
}

static void map_partitions(void) {
    const int first = skerry_facts.near_first, end = first + (int)skerry_facts.near_count;
    if (skerry_facts.pe_count > SEPARATE_MAPPINGS_MAX) {
        map_range(skerry_partition(first), file_offset_of(end, 0), 0, "the job's memory");
    } else {
        for (int pe = first; pe < end; pe++) skerry_map_partition(pe);
        map_range(skerry_partition(first) | SKERRY_SHARED_OFFSET, SKERRY_SHARED_BYTES,
                  file_offset_of(first, SKERRY_SHARED_OFFSET), "the shared memory");
    }
    if (skerry_job.huge) // can fail: without kernel support pages stay small
        for (int pe = first; pe < end; pe++)
            madvise((void *)(skerry_partition(pe) | SKERRY_HEAP_OFFSET), skerry_facts.heap_bytes, MADV_HUGEPAGE);
}

// Maps this PE's own partition (its memory) a second time, at SKERRY_POLL_BASE. The PE polls its own words through this
// mapping (layout.h).
static void map_poll_view(void) {
#ifdef SKERRY_POLL_BASE
    int me = skerry_facts.my_pe;
    uint64_t data_bytes = skerry_facts.data_end - skerry_facts.data_begin;
    map_range(SKERRY_POLL_BASE + SKERRY_CONTROL_OFFSET, SKERRY_SYSTEM_BYTES + SKERRY_REQUEST_BYTES,
              file_offset_of(me, SKERRY_CONTROL_OFFSET), "the runtime's memory");
    if (skerry_facts.heap_bytes)
        map_range(SKERRY_POLL_BASE + SKERRY_HEAP_OFFSET, skerry_facts.heap_bytes,
                  file_offset_of(me, SKERRY_HEAP_OFFSET), "the symmetric heap");
    if (data_bytes)
        map_range(SKERRY_POLL_BASE + skerry_facts.data_offset, data_bytes, file_offset_of(me, skerry_facts.data_offset),
                  "static data");
#endif
}

// Returns true if the static data, at its offset in the partition (the PE's memory), overlaps neither the heap nor the
// runtime's memory. The low bits of the data's address give its offset in the partition.
static bool data_fits(const struct skerry_data *data) {
    uint64_t begin = data->begin & SKERRY_PARTITION_MASK;
    uint64_t end = begin + (data->end - data->begin);
    bool before_heap = end <= SKERRY_HEAP_OFFSET;
    bool after_heap = begin >= SKERRY_HEAP_OFFSET + skerry_facts.heap_bytes;
    return end <= SKERRY_CONTROL_OFFSET && (before_heap || after_heap);
}

// Starts the program again, so that its data gets other addresses. Switches address randomisation off if the kernel
// allows that. Does not return.
static void restart(int count_of_restarts, uint64_t data_bytes, char **arguments) {
    if (data_bytes > SKERRY_HEAP_OFFSET)
        skerry_refuse("the program has %llu MB of static data, and a PE may have at most %llu MB; allocate the rest "
                      "with shmem_malloc",
                      (unsigned long long)(data_bytes >> 20), (unsigned long long)(SKERRY_HEAP_OFFSET >> 20));
    if (count_of_restarts >= RESTARTS_MAX)
        skerry_refuse("the program's static data and the symmetric heap of %llu bytes overlap, even after restarts; "
                      "use a smaller heap",
                      (unsigned long long)skerry_facts.heap_bytes);
    int now = personality(0xffffffff);
    if (now >= 0 && !(now & ADDR_NO_RANDOMIZE)) personality((unsigned long)now | ADDR_NO_RANDOMIZE);
    // The kernel names the process after the file that it executes, which would be "exe". take_name() restores the name.
    char text[16 + PROCESS_NAME_BYTES] = "", name[PROCESS_NAME_BYTES] = "";
    prctl(PR_GET_NAME, name);
    snprintf(text, sizeof text, "%d %.*s", count_of_restarts + 1, PROCESS_NAME_BYTES - 1, name);
    setenv(RESTARTS_VARIABLE, text, 1);
    execv("/proc/self/exe", arguments);
    skerry_refuse("cannot restart the program to place its static data at other addresses: %s", strerror(errno));
}

// Gives this process the name that it had before restart(). `restarts` is the value of RESTARTS_VARIABLE.
static void take_name(const char *restarts) {
    const char *name = strchr(restarts, ' ');
    if (name && name[1]) prctl(PR_SET_NAME, name + 1);
}

// Switches address randomisation off, as oshrun does for the PEs that it starts. The change takes effect when the
// program is executed again. Then static data and functions have the same addresses in all PEs, on all nodes. Returns
// false in three cases:
// * Address randomisation is off already.
// * It cannot be switched off.
// * The program runs under valgrind, which would lose control of a program that is executed again.
static bool switch_randomisation_off(void) {
    const char *preloaded = getenv("LD_PRELOAD");
    const int now = personality(0xffffffff);
    if (now < 0 || now & ADDR_NO_RANDOMIZE || (preloaded && strstr(preloaded, "vgpreload"))) return false;
    return personality((unsigned long)now | ADDR_NO_RANDOMIZE) >= 0;
}

static void register_membarrier(void) {
    if (skerry_is_switched_on("SKERRY_NO_MEMBARRIER")) return;
    skerry_job.membarrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

// Returns a number that is the same in all PEs that run the same program. The processes of a process manager (such as
// srun) can each have a mount of their own, for example in containers. Then device and inode of one file differ.
static uint64_t identify_program(void) {
    struct stat file;
    if (skerry_job.managed) return skerry_managed_program();
    if (stat("/proc/self/exe", &file) != 0) return 0;
    return ((uint64_t)file.st_dev << 40) ^ (uint64_t)file.st_ino ^ ((uint64_t)file.st_size << 20);
}

static void compare_layouts(const struct skerry_control *mine) {
    struct skerry_control *first = skerry_first_control();
    uint64_t layout = (mine->program * UINT64_C(0x9e3779b97f4a7c15) ^ mine->data_offset) + (mine->data_bytes << 32) + 1;
    uint64_t common = 0;
    if (!__atomic_compare_exchange_n(&first->common_layout, &common, layout, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE) &&
        common != layout)
        __atomic_store_n(&first->layouts_differ, 1, __ATOMIC_RELEASE);
}

static void publish(void) {
    struct skerry_control *control = skerry_control_of(skerry_facts.my_pe);
    if (__atomic_load_n(&control->state, __ATOMIC_ACQUIRE) != SKERRY_PE_ABSENT)
        skerry_refuse("this PE has run another OpenSHMEM program before; a PE must run only one");
    control->process_id = getpid();
    control->data_offset = skerry_facts.data_offset;
    control->data_bytes = skerry_facts.data_end - skerry_facts.data_begin;
    control->program = identify_program();
    if (!skerry_job.programs) compare_layouts(control);
    __atomic_store_n(&control->state, SKERRY_PE_ATTACHED, __ATOMIC_RELEASE);
    skerry_note_can_run(true);
}

__attribute__((constructor(101))) static void skerry_start(int argument_count, char **arguments) {
    (void)argument_count;
    const char *description = getenv(SKERRY_JOB_VARIABLE);
    const bool is_managed = skerry_is_managed(description);
    skerry_job.is_task = is_managed;
    if (description) read_job(description);
    else if (is_managed) skerry_facts.heap_bytes = skerry_heap_bytes_wanted();
    else make_job();
    struct skerry_data data = skerry_find_data();
    const char *restarts = getenv(RESTARTS_VARIABLE);
    if (!data_fits(&data) || (is_managed && !restarts && switch_randomisation_off()))
        restart(restarts ? atoi(restarts) : 0, data.end - data.begin, arguments);
    if (restarts) take_name(restarts);
    unsetenv(RESTARTS_VARIABLE);
    register_membarrier(); // before the module for PMIx starts a thread: with two threads the call takes 5 to 27 ms
    // This process connects to the process manager only when its program will not be started again (restart). If it
    // connected earlier, it would connect once more after each restart.
    if (is_managed && !skerry_join_managed_job()) {
        skerry_job.is_task = false;
        make_job();
    }
    unsetenv(SKERRY_JOB_VARIABLE);
    fcntl(skerry_job.fd, F_SETFD, FD_CLOEXEC);
    struct stat file;
    if (fstat(skerry_job.fd, &file) == 0) skerry_job.inode = file.st_ino;

    skerry_facts.data_begin = data.begin;
    skerry_facts.data_end = data.end;
    skerry_facts.data_offset = data.begin & SKERRY_PARTITION_MASK;
    map_partitions();
    map_poll_view();
    if (skerry_job.programs) skerry_map_common();
    skerry_job.attached = true;
    if (description && skerry_job.nodes_fd >= 0) skerry_check_build(description); // of several PEs one writes the line
    skerry_compare_builds();
    skerry_move_data(&data, skerry_job.fd, file_offset_of(skerry_facts.my_pe, skerry_facts.data_offset));
    const char *measured = description ? strstr(description, "tuning=") : NULL;
    skerry_choose_tuning(measured ? measured + strlen("tuning=") : skerry_managed_tuning());
    if (skerry_job.launched || skerry_job.managed) {
        // Standard output is a pipe to the launcher, which passes whole lines on. With line buffering, a printed line
        // is not lost if the PE dies. It is also in the right order among the lines of other PEs.
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    }
    if (skerry_job.kill_at) skerry_let_kernel_kill_at(skerry_job.kill_at);
    skerry_catch_crashes();
    skerry_prepare_forks();
    skerry_watch_end();
    publish();
    skerry_watch_neighbours();
}

// -- Set-up ------------------------------------------------------------------------------------------------------------

static bool opened;

// Returns the offset of PE `pe`'s static data in its partition (its memory). If all PEs of the node have the same
// layout, this is the offset of this PE's own data. A process needs memory for page tables for each partition that it
// accesses. So the function reads the control block of PE `pe` only if the layouts differ.
static uint64_t data_offset_of(int pe) {
    const struct skerry_control *mine = skerry_control_of(skerry_facts.my_pe);
    if (!__atomic_load_n(&skerry_first_control()->layouts_differ, __ATOMIC_ACQUIRE)) return mine->data_offset;
    const struct skerry_control *control = skerry_control_of(pe);
    if (control->program != mine->program || control->data_bytes != mine->data_bytes)
        skerry_refuse("shmem_init: PE %d runs another program than PE %d; all PEs of a job must run the same program",
                      pe, skerry_facts.my_pe);
    return control->data_offset;
}

static void map_data_of(int pe, uint64_t bytes) {
    uint64_t offset = data_offset_of(pe);
    bool there_already = skerry_facts.pe_count > SEPARATE_MAPPINGS_MAX && offset == skerry_facts.data_offset;
    if (!there_already)
        map_range(skerry_partition(pe) | skerry_facts.data_offset, bytes, file_offset_of(pe, offset), "static data");
}

// Ends the job if the program has closed the job's memory file. Some programs, such as daemons, close every file
// descriptor that they have not opened themselves.
static void check_descriptor(void) {
    struct stat file;
    if (fstat(skerry_job.fd, &file) != 0 || file.st_ino != skerry_job.inode)
        skerry_refuse("shmem_init: the program has closed descriptor %d, the job's memory file, which must stay open "
                      "until shmem_init has returned",
                      skerry_job.fd);
}

void skerry_job_open(void) {
    if (opened) return; // this process has already been initialised by another model or call
    check_descriptor();
    uint64_t bytes = skerry_facts.data_end - skerry_facts.data_begin;
    const int end = skerry_facts.near_first + (int)skerry_facts.near_count;
    for (int pe = skerry_facts.near_first; bytes && pe < end; pe++) map_data_of(pe, bytes);
    close(skerry_job.fd);
    skerry_job.fd = -1;
    opened = true;
    skerry_accept_requests(); // the memory of all PEs that a request can name is mapped now
}

bool skerry_job_is_open(void) {
    return opened;
}

void skerry_job_note_heap(size_t peak_bytes) {
    skerry_control_of(skerry_facts.my_pe)->heap_peak = peak_bytes;
}

uintptr_t skerry_thread_identity(void) {
    static _Thread_local char mark;
    return (uintptr_t)&mark;
}

void *skerry_heap_memory(size_t *bytes) {
    *bytes = skerry_facts.heap_bytes;
    return (void *)(skerry_partition(skerry_facts.my_pe) | SKERRY_HEAP_OFFSET);
}

void *skerry_system_memory(size_t *bytes) {
    *bytes = SKERRY_SYSTEM_BYTES - SKERRY_CONTROL_BYTES - SKERRY_TABLE_BYTES;
    return (void *)((skerry_partition(skerry_facts.my_pe) | SKERRY_CONTROL_OFFSET) + SKERRY_CONTROL_BYTES);
}

void *skerry_request_memory(int part, size_t *bytes) {
    *bytes = SKERRY_REQUEST_BYTES / SKERRY_REQUEST_PARTS;
    return (void *)((skerry_partition(skerry_facts.my_pe) | SKERRY_REQUEST_OFFSET) + *bytes * (unsigned)part);
}
