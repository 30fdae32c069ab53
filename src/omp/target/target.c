// SPDX-License-Identifier: BSD-3-Clause
// Implements target constructs. The host is the only device. Mapped data is the program's own memory, so mapping does
// nothing. Firstprivate data is copied for each target region.
#include "../routines/routines.h"
#include "../task/group.h"

enum { DEVICE_DEFAULT = -1, DEVICE_HOST = -2 };
enum { FLAG_NOWAIT = 1 };
enum { TASK_DEPEND = 8 };
enum { KIND_FIRSTPRIVATE = 12, KIND_MASK = 0xff, KIND_ALIGNMENT_SHIFT = 8 };
// Fields of a word in the list of arguments that the compiler passes for a construct. The value of an argument is in
// the upper bits of its word (from VALUE_SHIFT on). If VALUE_FOLLOWS is set, the value is in the next word.
enum { FOR_DEVICES = 0x7f, VALUE_FOLLOWS = 0x80, IDENTIFIER = 0xff00, THREAD_LIMIT = 0x200, VALUE_SHIFT = 16 };

struct target {
    omp_function *function;
    void **addresses; // argument of the region: addresses of mapped data and of copies of firstprivate data
    size_t count;
    const size_t *sizes;
    const unsigned short *kinds;
    size_t private_bytes, private_alignment;
    uint32_t thread_limit; // 0: no limit
};

// Ends the program if OMP_TARGET_OFFLOAD is MANDATORY and the construct's device is not the host. The construct cannot
// run in this case, because there is no other device.
static void check_device(int device) {
    if (OMP_LIKELY(skerry_omp_device.target_offload != OMP_OFFLOAD_MANDATORY)) return;
    if (device == DEVICE_DEFAULT) device = omp_get_default_device();
    if (device == DEVICE_HOST || device == omp_get_initial_device()) return;
    skerry_stop("libgomp: OMP_TARGET_OFFLOAD is set to MANDATORY, but device not found: there is only the host");
}

// -- Firstprivate data -------------------------------------------------------------------------------------------------

static size_t align(size_t bytes, size_t alignment) {
    return (bytes + alignment - 1) & ~(alignment - 1);
}

static size_t alignment_of(const struct target *target, size_t i) {
    return (size_t)1 << (target->kinds[i] >> KIND_ALIGNMENT_SHIFT);
}

static bool is_firstprivate(const struct target *target, size_t i) {
    return (target->kinds[i] & KIND_MASK) == KIND_FIRSTPRIVATE && target->addresses[i];
}

static void measure(struct target *target) {
    target->private_alignment = sizeof(void *);
    for (size_t i = 0; i < target->count; i++) {
        if (!is_firstprivate(target, i)) continue;
        size_t alignment = alignment_of(target, i);
        if (target->private_alignment < alignment) target->private_alignment = alignment;
        target->private_bytes = align(target->private_bytes, alignment) + target->sizes[i];
    }
}

// Copies the firstprivate data to the buffer `room`, which has private_bytes + private_alignment bytes. Stores the
// address of the copy of variable i to addresses[i].
static void copy_firstprivate(const struct target *target, char *room, void **addresses) {
    room += (0 - (uintptr_t)room) & (target->private_alignment - 1);
    size_t at = 0;
    for (size_t i = 0; i < target->count; i++) {
        if (!is_firstprivate(target, i)) continue;
        at = align(at, alignment_of(target, i));
        __builtin_memcpy(room + at, target->addresses[i], target->sizes[i]);
        addresses[i] = room + at;
        at += target->sizes[i];
    }
}

// -- Running -----------------------------------------------------------------------------------------------------------

static void run_region(omp_function *function, void **addresses, uint32_t thread_limit) {
    struct omp_thread *self = omp_self();
    struct omp_state saved = self->state;
    skerry_omp_enter_solo(self);
    if (thread_limit) skerry_omp_own_icv()->thread_limit = thread_limit;
    function(addresses);
    skerry_omp_leave_solo(self, &saved);
}

static uint32_t find_thread_limit(void **arguments) {
    while (arguments && *arguments) {
        uintptr_t word = (uintptr_t)*arguments++;
        intptr_t value = word & VALUE_FOLLOWS ? (intptr_t)*arguments++ : (intptr_t)word >> VALUE_SHIFT;
        if ((word & FOR_DEVICES) != 0 || (word & IDENTIFIER) != THREAD_LIMIT) continue;
        return value > INT32_MAX ? INT32_MAX : (uint32_t)value;
    }
    return 0;
}

static void run_now(struct target *target) {
    char room[target->private_bytes + target->private_alignment];
    copy_firstprivate(target, room, target->addresses);
    run_region(target->function, target->addresses, target->thread_limit);
}

// run_task runs a target region with nowait and depend clauses. Such a region is an OpenMP task. The task's data is the
// struct target, followed by the array of addresses and the copies of firstprivate data.
static void run_task(void *given) {
    struct target *target = given;
    run_region(target->function, target->addresses, target->thread_limit);
}

static void pack_task(void *to, void *from) {
    const struct target *target = from;
    struct target *packed = to;
    *packed = *target;
    packed->addresses = (void **)(packed + 1);
    if (target->count)
        __builtin_memcpy(packed->addresses, target->addresses, target->count * sizeof *target->addresses);
    copy_firstprivate(target, (char *)(packed->addresses + target->count), packed->addresses);
}

static void run_later(struct target *target, void **depends) {
    size_t bytes =
        sizeof *target + target->count * sizeof *target->addresses + target->private_bytes + target->private_alignment;
    GOMP_task(run_task, target, pack_task, (long)bytes, _Alignof(struct target), true, TASK_DEPEND, depends, 0, NULL);
}

// -- What compilers call -----------------------------------------------------------------------------------------------

OMP_EXPORT void GOMP_target_ext(int device, omp_function *function, size_t count, void **addresses, size_t *sizes,
                                unsigned short *kinds, unsigned flags, void **depends, void **arguments) {
    check_device(device);
    struct target target = {function, addresses, count, sizes, kinds, 0, 1, find_thread_limit(arguments)};
    measure(&target);
    if (depends && (flags & FLAG_NOWAIT)) {
        run_later(&target, depends);
        return;
    }
    if (depends) skerry_omp_await(omp_self(), depends);
    run_now(&target);
}

OMP_EXPORT void GOMP_target(int device, omp_function *function, const void *unused, size_t count, void **addresses,
                            size_t *sizes, unsigned char *kinds) {
    (void)unused;
    (void)count;
    (void)sizes;
    (void)kinds;
    check_device(device);
    run_region(function, addresses, 0);
}

static void nothing(void *data) {
    (void)data;
}

// Executes a construct that moves data to or from a device. No data is moved, because the host is the only device. But
// the construct can have depend clauses:
// * With a nowait clause the function makes an empty task with these dependences.
// * Without a nowait clause the thread waits until the tasks on which the construct depends have finished.
static void move_nothing(int device, unsigned flags, void **depends) {
    check_device(device);
    if (!depends) return;
    char data = 0;
    if (flags & FLAG_NOWAIT) GOMP_task(nothing, &data, NULL, 1, 1, true, TASK_DEPEND, depends, 0, NULL);
    else skerry_omp_await(omp_self(), depends);
}

OMP_EXPORT void GOMP_target_data(int device, const void *unused, size_t count, void **addresses, size_t *sizes,
                                 unsigned char *kinds) {
    (void)unused;
    (void)count;
    (void)addresses;
    (void)sizes;
    (void)kinds;
    check_device(device);
}

OMP_EXPORT void GOMP_target_data_ext(int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds) {
    (void)count;
    (void)addresses;
    (void)sizes;
    (void)kinds;
    check_device(device);
}

OMP_EXPORT void GOMP_target_end_data(void) {
}

OMP_EXPORT void GOMP_target_update(int device, const void *unused, size_t count, void **addresses, size_t *sizes,
                                   unsigned char *kinds) {
    GOMP_target_data(device, unused, count, addresses, sizes, kinds);
}

OMP_EXPORT void GOMP_target_update_ext(int device, size_t count, void **addresses, size_t *sizes, unsigned short *kinds,
                                       unsigned flags, void **depends) {
    (void)count;
    (void)addresses;
    (void)sizes;
    (void)kinds;
    move_nothing(device, flags, depends);
}

OMP_EXPORT void GOMP_target_enter_exit_data(int device, size_t count, void **addresses, size_t *sizes,
                                            unsigned short *kinds, unsigned flags, void **depends) {
    GOMP_target_update_ext(device, count, addresses, sizes, kinds, flags, depends);
}

// These entry points register and unregister code for devices. They do nothing, because there is no device besides the
// host.
OMP_EXPORT void GOMP_offload_register(const void *table, int target, const void *data) {
    (void)table;
    (void)target;
    (void)data;
}

OMP_EXPORT void GOMP_offload_unregister(const void *table, int target, const void *data) {
    GOMP_offload_register(table, target, data);
}

OMP_EXPORT void GOMP_offload_register_ver(unsigned version, const void *table, int target, const void *data) {
    (void)version;
    GOMP_offload_register(table, target, data);
}

OMP_EXPORT void GOMP_offload_unregister_ver(unsigned version, const void *table, int target, const void *data) {
    (void)version;
    GOMP_offload_register(table, target, data);
}
