// SPDX-License-Identifier: BSD-3-Clause
// Defines the routines for devices and their memory (OpenMP 5.0, sections 3.2.27 to 3.2.43 and 3.6). The host is the
// only device.
#include "../routines/routines.h"
#include "../task/group.h"

// The host has two device numbers. omp_get_initial_device returns 0, and the constant omp_initial_device has the value
// -1.
enum { INITIAL_DEVICE = 0, INITIAL_DEVICE_TOO = -1 };
enum { INVALID = 22 }; // returned by the memory routines if they fail
enum { TASK_DEPEND = 8 };

static bool is_host(int device) {
    return device == INITIAL_DEVICE || device == INITIAL_DEVICE_TOO;
}

// -- Devices -----------------------------------------------------------------------------------------------------------

OMP_EXPORT int omp_get_num_devices(void) {
    return 0;
}

OMP_EXPORT int omp_get_initial_device(void) {
    return INITIAL_DEVICE;
}

OMP_EXPORT int omp_get_device_num(void) {
    return INITIAL_DEVICE;
}

OMP_EXPORT int omp_is_initial_device(void) {
    return 1;
}

OMP_EXPORT void omp_set_default_device(int device) {
    skerry_omp_own_icv()->default_device = device > 0 ? device : 0;
}

OMP_EXPORT int omp_get_default_device(void) {
    return skerry_omp_icv()->default_device;
}

// Ends the threads that the runtime keeps for the calling thread's next regions, and returns 0. Returns -1 inside a
// region, because the threads are in use there. The runtime starts new threads when the next region needs them.
OMP_EXPORT int omp_pause_resource(int kind, int device) {
    enum { SOFT = 1, HARD = 2 };
    struct omp_thread *self = omp_self();
    if (!is_host(device) || (kind != SOFT && kind != HARD) || self->state.team->level) return -1;
    skerry_omp_end_pool(self);
    return 0;
}

OMP_EXPORT int omp_pause_resource_all(int kind) {
    return omp_pause_resource(kind, INITIAL_DEVICE);
}

// -- Memory ------------------------------------------------------------------------------------------------------------

OMP_EXPORT void *omp_target_alloc(size_t bytes, int device) {
    return is_host(device) ? skerry_memory_take(bytes, _Alignof(max_align_t)) : NULL;
}

OMP_EXPORT void omp_target_free(void *memory, int device) {
    if (is_host(device)) skerry_memory_give(memory);
}

OMP_EXPORT int omp_target_is_present(const void *address, int device) {
    (void)address;
    return is_host(device);
}

OMP_EXPORT int omp_target_is_accessible(const void *address, size_t bytes, int device) {
    (void)bytes;
    return omp_target_is_present(address, device);
}

OMP_EXPORT void *omp_get_mapped_ptr(const void *address, int device) {
    return is_host(device) ? (void *)(uintptr_t)address : NULL;
}

// Always fails. On the host each address already corresponds to itself, so a program cannot associate the address with
// other memory.
OMP_EXPORT int omp_target_associate_ptr(const void *host, const void *other, size_t bytes, size_t offset, int device) {
    (void)host;
    (void)other;
    (void)bytes;
    (void)offset;
    (void)device;
    return INVALID;
}

OMP_EXPORT int omp_target_disassociate_ptr(const void *host, int device) {
    (void)host;
    (void)device;
    return INVALID;
}

// -- Copying -----------------------------------------------------------------------------------------------------------

OMP_EXPORT int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset,
                                 int to_device, int from_device) {
    if (!is_host(to_device) || !is_host(from_device)) return INVALID;
    __builtin_memcpy((char *)to + to_offset, (const char *)from + from_offset, bytes);
    return 0;
}

struct boxes {
    int dimensions;
    size_t element;
    // Arrays with one number for each dimension. Element 0 is for the outermost dimension.
    const size_t *volume, *to_offsets, *from_offsets, *to_sizes, *from_sizes;
};

// Copies a box: a part of an array of several dimensions. A call copies the part of the box in `dimension` and all
// dimensions inside it. It calls itself for each index of `dimension`. `to` and `from` are the addresses at which the
// arrays of these inner dimensions begin. Returns false if a size overflows.
static bool copy_box(const struct boxes *boxes, int dimension, char *to, const char *from) {
    size_t to_stride = boxes->element, from_stride = boxes->element, whole;
    for (int i = dimension + 1; i < boxes->dimensions; i++)
        if (__builtin_mul_overflow(to_stride, boxes->to_sizes[i], &to_stride) ||
            __builtin_mul_overflow(from_stride, boxes->from_sizes[i], &from_stride))
            return false;
    to += boxes->to_offsets[dimension] * to_stride;
    from += boxes->from_offsets[dimension] * from_stride;
    if (dimension == boxes->dimensions - 1) {
        if (__builtin_mul_overflow(boxes->volume[dimension], boxes->element, &whole)) return false;
        __builtin_memcpy(to, from, whole);
        return true;
    }
    for (size_t i = 0; i < boxes->volume[dimension]; i++, to += to_stride, from += from_stride)
        if (!copy_box(boxes, dimension + 1, to, from)) return false;
    return true;
}

OMP_EXPORT int omp_target_memcpy_rect(void *to, const void *from, size_t element, int dimensions, const size_t *volume,
                                      const size_t *to_offsets, const size_t *from_offsets, const size_t *to_sizes,
                                      const size_t *from_sizes, int to_device, int from_device) {
    if (!to && !from) return INT32_MAX; // both NULL: the program asks for the largest number of dimensions
    if (!is_host(to_device) || !is_host(from_device) || dimensions < 1) return INVALID;
    struct boxes boxes = {dimensions, element, volume, to_offsets, from_offsets, to_sizes, from_sizes};
    return copy_box(&boxes, 0, to, from) ? 0 : INVALID;
}

// -- Copying when dependences allow it ---------------------------------------------------------------------------------

struct copy {
    char *to;
    const char *from;
    size_t bytes;
    struct boxes boxes; // with 0 dimensions, the copy is of `bytes` consecutive bytes
};

static void copy_later(void *given) {
    const struct copy *copy = given;
    if (copy->boxes.dimensions) copy_box(&copy->boxes, 0, copy->to, copy->from);
    else __builtin_memcpy(copy->to, copy->from, copy->bytes);
}

// Makes a task that copies after the tasks on which the new task depends have finished. `list` contains `objects`
// depend objects. GOMP_task expects a list of the addresses of these objects (entry_of in depend.c), so the function
// builds such a list.
static void copy_after(struct copy *copy, int objects, char *list) {
    enum { OBJECT_BYTES = 16, HEAD = 5 };
    void *depends[HEAD + (objects > 0 ? objects : 0)];
    for (int i = 0; i < HEAD; i++) depends[i] = NULL;
    depends[1] = (void *)(uintptr_t)objects;
    for (int i = 0; i < objects; i++) depends[HEAD + i] = list + (size_t)i * OBJECT_BYTES;
    GOMP_task(copy_later, copy, NULL, sizeof *copy, _Alignof(struct copy), true, objects > 0 ? TASK_DEPEND : 0, depends,
              0, NULL);
}

OMP_EXPORT int omp_target_memcpy_async(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset,
                                       int to_device, int from_device, int objects, void *list) {
    if (!is_host(to_device) || !is_host(from_device)) return INVALID;
    struct copy copy = {(char *)to + to_offset, (const char *)from + from_offset, bytes, {0}};
    copy_after(&copy, objects, list);
    return 0;
}

OMP_EXPORT int omp_target_memcpy_rect_async(void *to, const void *from, size_t element, int dimensions,
                                            const size_t *volume, const size_t *to_offsets, const size_t *from_offsets,
                                            const size_t *to_sizes, const size_t *from_sizes, int to_device,
                                            int from_device, int objects, void *list) {
    if (!to && !from) return INT32_MAX;
    if (!is_host(to_device) || !is_host(from_device) || dimensions < 1) return INVALID;
    struct copy copy = {to, from, 0, {dimensions, element, volume, to_offsets, from_offsets, to_sizes, from_sizes}};
    copy_after(&copy, objects, list);
    return 0;
}
