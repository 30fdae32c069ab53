// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the compiler calls for constructs that this runtime does not have. Each ends the program with
// a line that names the construct. Lies in external memory.
#include "small.h"

#define LEFT_OUT(FUNCTION, CONSTRUCT)                                                                                  \
    void FUNCTION(void);                                                                                               \
    void FUNCTION(void) {                                                                                              \
        skerry_stop(CONSTRUCT " is not supported on this machine (" #FUNCTION ")");                                    \
    }

LEFT_OUT(GOMP_loop_doacross_static_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_loop_doacross_dynamic_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_loop_doacross_guided_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_loop_doacross_runtime_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_loop_doacross_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_loop_ull_doacross_static_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_loop_ull_doacross_dynamic_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_loop_ull_doacross_guided_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_loop_ull_doacross_runtime_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_loop_ull_doacross_start, "#pragma omp for ordered(n)")
LEFT_OUT(GOMP_doacross_post, "#pragma omp ordered depend(source)")
LEFT_OUT(GOMP_doacross_wait, "#pragma omp ordered depend(sink)")
LEFT_OUT(GOMP_doacross_ull_post, "#pragma omp ordered depend(source)")
LEFT_OUT(GOMP_doacross_ull_wait, "#pragma omp ordered depend(sink)")
LEFT_OUT(GOMP_scope_start, "reduction(task, ...) of a scope")
LEFT_OUT(GOMP_parallel_reductions, "reduction(task, ...) of a region")
LEFT_OUT(GOMP_workshare_task_reduction_unregister, "reduction(task, ...)")
LEFT_OUT(GOMP_taskgroup_reduction_register, "task_reduction")
LEFT_OUT(GOMP_taskgroup_reduction_unregister, "task_reduction")
LEFT_OUT(GOMP_task_reduction_remap, "in_reduction")
LEFT_OUT(GOMP_cancel, "#pragma omp cancel")
LEFT_OUT(GOMP_cancellation_point, "#pragma omp cancellation point")
LEFT_OUT(GOMP_barrier_cancel, "#pragma omp cancel")
LEFT_OUT(GOMP_loop_end_cancel, "#pragma omp cancel")
LEFT_OUT(GOMP_sections_end_cancel, "#pragma omp cancel")
LEFT_OUT(GOMP_teams_reg, "#pragma omp teams")
LEFT_OUT(GOMP_teams4, "#pragma omp teams in a target region")
LEFT_OUT(GOMP_target_ext, "#pragma omp target")
LEFT_OUT(GOMP_target_data_ext, "#pragma omp target data")
LEFT_OUT(GOMP_target_end_data, "#pragma omp target data")
LEFT_OUT(GOMP_target_update_ext, "#pragma omp target update")
LEFT_OUT(GOMP_target_enter_exit_data, "#pragma omp target enter data or exit data")
LEFT_OUT(GOMP_alloc, "allocate(...)")
LEFT_OUT(GOMP_free, "allocate(...)")
LEFT_OUT(omp_fulfill_event, "omp_fulfill_event")
LEFT_OUT(omp_get_num_places, "omp_get_num_places")
LEFT_OUT(omp_get_place_num, "omp_get_place_num")
LEFT_OUT(omp_get_place_num_procs, "omp_get_place_num_procs")
LEFT_OUT(omp_get_place_proc_ids, "omp_get_place_proc_ids")
LEFT_OUT(omp_get_partition_num_places, "omp_get_partition_num_places")
LEFT_OUT(omp_get_partition_place_nums, "omp_get_partition_place_nums")
LEFT_OUT(omp_set_affinity_format, "omp_set_affinity_format")
LEFT_OUT(omp_get_affinity_format, "omp_get_affinity_format")
LEFT_OUT(omp_display_affinity, "omp_display_affinity")
LEFT_OUT(omp_capture_affinity, "omp_capture_affinity")
LEFT_OUT(omp_display_env, "omp_display_env")
LEFT_OUT(omp_set_num_teams, "omp_set_num_teams")
LEFT_OUT(omp_get_max_teams, "omp_get_max_teams")
LEFT_OUT(omp_set_teams_thread_limit, "omp_set_teams_thread_limit")
LEFT_OUT(omp_get_teams_thread_limit, "omp_get_teams_thread_limit")
LEFT_OUT(omp_set_default_device, "omp_set_default_device")
LEFT_OUT(omp_get_device_num, "omp_get_device_num")
LEFT_OUT(omp_pause_resource, "omp_pause_resource")
LEFT_OUT(omp_pause_resource_all, "omp_pause_resource_all")
LEFT_OUT(omp_target_alloc, "omp_target_alloc")
LEFT_OUT(omp_target_free, "omp_target_free")
LEFT_OUT(omp_target_is_present, "omp_target_is_present")
LEFT_OUT(omp_target_is_accessible, "omp_target_is_accessible")
LEFT_OUT(omp_get_mapped_ptr, "omp_get_mapped_ptr")
LEFT_OUT(omp_target_memcpy, "omp_target_memcpy")
LEFT_OUT(omp_target_memcpy_async, "omp_target_memcpy_async")
LEFT_OUT(omp_target_memcpy_rect, "omp_target_memcpy_rect")
LEFT_OUT(omp_target_memcpy_rect_async, "omp_target_memcpy_rect_async")
LEFT_OUT(omp_target_associate_ptr, "omp_target_associate_ptr")
LEFT_OUT(omp_target_disassociate_ptr, "omp_target_disassociate_ptr")
LEFT_OUT(omp_init_allocator, "omp_init_allocator")
LEFT_OUT(omp_destroy_allocator, "omp_destroy_allocator")
LEFT_OUT(omp_set_default_allocator, "omp_set_default_allocator")
LEFT_OUT(omp_get_default_allocator, "omp_get_default_allocator")
LEFT_OUT(omp_alloc, "omp_alloc")
LEFT_OUT(omp_aligned_alloc, "omp_aligned_alloc")
LEFT_OUT(omp_calloc, "omp_calloc")
LEFT_OUT(omp_aligned_calloc, "omp_aligned_calloc")
LEFT_OUT(omp_realloc, "omp_realloc")
LEFT_OUT(omp_free, "omp_free")
LEFT_OUT(GOMP_error, "#pragma omp error")
LEFT_OUT(GOMP_warning, "#pragma omp error")

// For these constructs the compiler makes the same calls: with the description of a task reduction, or without it. A loop
// with `scan` and a loop with lastprivate(conditional:...) ask for the same memory.
static SKERRY_NORETURN void stop_at(bool is_reduction, const char *reduction, const char *other) {
    skerry_stop(is_reduction ? reduction : other);
}
#define OF_LOOP(FUNCTION)                                                                                              \
    "reduction(task, ...) of a loop is not supported on this machine (" #FUNCTION ")",                                 \
        "reduction(inscan, ...), or lastprivate(conditional:...) of a loop whose region is in another function, is "   \
        "not supported on this machine (" #FUNCTION ")"

#define LOOP(FUNCTION)                                                                                                 \
    bool FUNCTION(long start, long end, long step, long schedule, long chunk, long *first, long *last,                 \
                  uintptr_t *reductions, void **memory);                                                               \
    bool FUNCTION(long start, long end, long step, long schedule, long chunk, long *first, long *last,                 \
                  uintptr_t *reductions, void **memory) {                                                              \
        (void)start, (void)end, (void)step, (void)schedule, (void)chunk, (void)first, (void)last, (void)memory;        \
        stop_at(reductions != NULL, OF_LOOP(FUNCTION));                                                                \
    }
LOOP(GOMP_loop_start)
LOOP(GOMP_loop_ordered_start)

#define WIDE_LOOP(FUNCTION)                                                                                            \
    bool FUNCTION(bool up, uint64_t start, uint64_t end, uint64_t step, long schedule, uint64_t chunk,                 \
                  uint64_t *first, uint64_t *last, uintptr_t *reductions, void **memory);                              \
    bool FUNCTION(bool up, uint64_t start, uint64_t end, uint64_t step, long schedule, uint64_t chunk,                 \
                  uint64_t *first, uint64_t *last, uintptr_t *reductions, void **memory) {                             \
        (void)up, (void)start, (void)end, (void)step, (void)schedule, (void)chunk, (void)first, (void)last;            \
        (void)memory;                                                                                                  \
        stop_at(reductions != NULL, OF_LOOP(FUNCTION));                                                                \
    }
WIDE_LOOP(GOMP_loop_ull_start)
WIDE_LOOP(GOMP_loop_ull_ordered_start)

unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory);
unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory) {
    (void)count, (void)memory;
    stop_at(reductions != NULL,
            "reduction(task, ...) of sections is not supported on this machine (GOMP_sections2_start)",
            "lastprivate(conditional:...) of sections is not supported on this machine (GOMP_sections2_start)");
}
