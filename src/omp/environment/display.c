// SPDX-License-Identifier: BSD-3-Clause
// Writes the values of the control variables to stderr, for OMP_DISPLAY_ENV and omp_display_env (OpenMP 5.1, section
// 6.12).
#include "display.h"

#include "../variant/variant.h"
#include "place.h"

const char *const skerry_omp_allocator_names[OMP_ALLOCATORS] = {
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc", "omp_high_bw_mem_alloc",
    "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",    "omp_pteam_mem_alloc", "omp_thread_mem_alloc"};

static const char *boolean(bool value) {
    return value ? "TRUE" : "FALSE";
}

void skerry_omp_show(const char *name, const char *value) {
    OMP_TEXT(line, 1024);
    omp_text_string(&line, "  ");
    omp_text_string(&line, name);
    omp_text_string(&line, " = '");
    omp_text_string(&line, value);
    omp_text_char(&line, '\'');
    skerry_warn(omp_text_end(&line));
}

static void show_number(const char *name, int64_t value) {
    OMP_TEXT(text, 24);
    omp_text_number(&text, value);
    skerry_omp_show(name, omp_text_end(&text));
}

static void show_threads(void) {
    const struct omp_device_icv *device = &skerry_omp_device;
    OMP_TEXT(text, 256);
    omp_text_number(&text, skerry_omp_initial_icv.threads);
    for (uint32_t i = 1; i < device->threads_levels; i++) {
        omp_text_char(&text, ',');
        omp_text_number(&text, device->threads_list[i]);
    }
    skerry_omp_show("OMP_NUM_THREADS", omp_text_end(&text));
}

// Writes the schedule of OMP_SCHEDULE. Leaves out the modifier and the chunk size if they are the defaults of this kind
// of schedule. The defaults of a static schedule are monotonic and no chunk size. The defaults of the other kinds are
// nonmonotonic and chunks of 1 iteration.
static void show_schedule(void) {
    static const char *const names[] = {"RUNTIME", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
    uint32_t schedule = skerry_omp_initial_icv.schedule, kind = schedule & ~OMP_SCHEDULE_MONOTONIC;
    bool is_static = kind == OMP_SCHEDULE_STATIC, monotonic = schedule & OMP_SCHEDULE_MONOTONIC;
    OMP_TEXT(text, 64);
    if (monotonic != is_static) omp_text_string(&text, monotonic ? "MONOTONIC:" : "NONMONOTONIC:");
    omp_text_string(&text, names[kind]);
    if (kind != OMP_SCHEDULE_AUTO && skerry_omp_initial_icv.chunk != !is_static) {
        omp_text_char(&text, ',');
        omp_text_number(&text, skerry_omp_initial_icv.chunk);
    }
    skerry_omp_show("OMP_SCHEDULE", omp_text_end(&text));
}

static void show_bind(void) {
    static const char *const names[] = {"FALSE", "TRUE", "PRIMARY", "CLOSE", "SPREAD"};
    OMP_TEXT(text, 256);
    omp_text_string(&text, names[skerry_omp_initial_icv.bind]);
    for (uint32_t i = 1; i < skerry_omp_device.bind_levels; i++) {
        omp_text_char(&text, ',');
        omp_text_string(&text, names[skerry_omp_device.bind_list[i]]);
    }
    skerry_omp_show("OMP_PROC_BIND", omp_text_end(&text));
}

static void show_places(void) {
    const struct omp_places *places = &skerry_omp_places;
    OMP_TEXT(text, 1000);
    for (uint32_t i = 0, at = 0; i < places->count; i++) {
        omp_text_string(&text, i ? ",{" : "{");
        for (uint32_t first = at; at < places->ends[i]; at++) {
            if (at != first) omp_text_char(&text, ',');
            omp_text_number(&text, places->processors[at]);
        }
        omp_text_char(&text, '}');
    }
    skerry_omp_show("OMP_PLACES", omp_text_end(&text));
}

static void show_allocator(void) {
    uintptr_t allocator = skerry_omp_initial_icv.allocator;
    skerry_omp_show("OMP_ALLOCATOR", allocator <= OMP_ALLOCATORS ? skerry_omp_allocator_names[allocator - 1] : "");
}

void skerry_omp_display_environment(bool verbose) {
    static const char *const offload[] = {"DEFAULT", "MANDATORY", "DISABLED"};
    const struct omp_icv *icv = &skerry_omp_initial_icv;
    const struct omp_device_icv *device = &skerry_omp_device;
    skerry_warn("\nOPENMP DISPLAY ENVIRONMENT BEGIN");
    skerry_omp_show("_OPENMP", "201511"); // the value that compilers give to this macro
    skerry_omp_show("OMP_DYNAMIC", boolean(icv->dynamic));
    skerry_omp_show("OMP_NESTED", boolean(icv->max_active_levels > 1));
    show_threads();
    show_schedule();
    show_bind();
    show_places();
    show_number("OMP_STACKSIZE", (int64_t)device->stack_bytes);
    skerry_omp_show("OMP_WAIT_POLICY", device->wait_policy > 0 ? "ACTIVE" : "PASSIVE");
    show_number("OMP_THREAD_LIMIT", icv->thread_limit);
    show_number("OMP_MAX_ACTIVE_LEVELS", icv->max_active_levels);
    show_number("OMP_NUM_TEAMS", device->teams);
    show_number("OMP_TEAMS_THREAD_LIMIT", device->teams_limit);
    skerry_omp_show("OMP_CANCELLATION", boolean(device->cancellation));
    show_number("OMP_DEFAULT_DEVICE", icv->default_device);
    show_number("OMP_MAX_TASK_PRIORITY", device->max_task_priority);
    skerry_omp_show("OMP_DISPLAY_AFFINITY", boolean(device->display_affinity));
    skerry_omp_show("OMP_AFFINITY_FORMAT", skerry_omp_affinity_format);
    show_allocator();
    skerry_omp_show("OMP_TARGET_OFFLOAD", offload[device->target_offload]);
    if (verbose && OMP_HAS_VARIANTS) skerry_omp_show_variants();
    skerry_warn("OPENMP DISPLAY ENVIRONMENT END");
}

OMP_EXPORT void omp_display_env(int verbose) {
    skerry_omp_display_environment(verbose);
}
