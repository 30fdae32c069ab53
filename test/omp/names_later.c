// SPDX-License-Identifier: BSD-3-Clause
// Entry points and routines that came after GCC 12: called where the library has them.
// smp-16 has no shared libraries.
// threads: 1 4
// skip: smp
#include "test.h"

#include <dlfcn.h>

static void *find(const char *name) {
    return dlsym(RTLD_DEFAULT, name);
}

static void memory(void) {
    int host = omp_get_initial_device(), from[4] = {1, 2, 3, 4}, to[4] = {0};
    void *(*get_mapped)(const void *, int);
    int (*is_accessible)(const void *, size_t, int);
    int (*copy)(void *, const void *, size_t, size_t, size_t, int, int, int, omp_depend_t *);
    int (*copy_rect)(void *, const void *, size_t, int, const size_t *, const size_t *, const size_t *, const size_t *,
                     const size_t *, int, int, int, omp_depend_t *);
    void *(*set)(void *, int, size_t, int);
    *(void **)&get_mapped = find("omp_get_mapped_ptr");
    if (get_mapped) REQUIRE(get_mapped(from, host) == from, "omp_get_mapped_ptr");
    *(void **)&is_accessible = find("omp_target_is_accessible");
    if (is_accessible) REQUIRE(is_accessible(from, sizeof from, host), "omp_target_is_accessible");
    *(void **)&copy = find("omp_target_memcpy_async");
    if (copy) {
        REQUIRE(copy(to, from, 8, 4, 0, host, host, 0, NULL) == 0, "omp_target_memcpy_async");
#pragma omp taskwait
        REQUIRE(to[1] == 1 && to[2] == 2 && to[3] == 0, "omp_target_memcpy_async copied %d %d", to[1], to[2]);
    }
    *(void **)&copy_rect = find("omp_target_memcpy_rect_async");
    if (copy_rect) {
        size_t volume[] = {2}, zero[] = {0}, size[] = {4};
        REQUIRE(copy_rect(to, from, sizeof(int), 1, volume, zero, zero, size, size, host, host, 0, NULL) == 0,
                "rect_async");
#pragma omp taskwait
        REQUIRE(to[0] == 1 && to[1] == 2, "omp_target_memcpy_rect_async copied %d %d", to[0], to[1]);
    }
    *(void **)&set = find("omp_target_memset");
    if (set) REQUIRE(set(to, 0, sizeof to, host) == to && to[0] == 0, "omp_target_memset");
}

static void hints(void) {
    void (*init)(omp_lock_t *, int), (*init_nest)(omp_nest_lock_t *, int);
    omp_lock_t lock;
    omp_nest_lock_t nest_lock;
    *(void **)&init = find("omp_init_lock_with_hint");
    *(void **)&init_nest = find("omp_init_nest_lock_with_hint");
    if (init) {
        init(&lock, 2);
        REQUIRE(omp_test_lock(&lock) && !omp_test_lock(&lock), "a lock with a hint");
        omp_unset_lock(&lock);
        omp_destroy_lock(&lock);
    }
    if (init_nest) {
        init_nest(&nest_lock, 1);
        REQUIRE(omp_test_nest_lock(&nest_lock) == 1 && omp_test_nest_lock(&nest_lock) == 2,
                "a nestable lock with a hint");
        omp_unset_nest_lock(&nest_lock);
        omp_unset_nest_lock(&nest_lock);
        omp_destroy_nest_lock(&nest_lock);
    }
}

static void explicit_tasks(void) {
    static const char *const names[] = {"omp_in_explicit_task", "omp_in_explicit_task_"};
    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        int (*inside)(void), in_task = -1;
        *(void **)&inside = find(names[i]);
        if (!inside) continue;
        REQUIRE(!inside(), "%s outside", names[i]);
#pragma omp parallel
#pragma omp single
        {
            REQUIRE(!inside(), "%s in an implicit task", names[i]);
#pragma omp task shared(in_task)
            in_task = inside();
        }
        REQUIRE(in_task == 1, "%s in a task says %d", names[i], in_task);
    }
}

int main(void) {
    memory();
    hints();
    explicit_tasks();
    void *(*indirect)(void *);
    *(void **)&indirect = find("GOMP_target_map_indirect_ptr");
    if (indirect) REQUIRE(indirect(find("omp_get_level")) == find("omp_get_level"), "an indirect call on the host");
    return 0;
}
