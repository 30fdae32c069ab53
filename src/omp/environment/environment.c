// SPDX-License-Identifier: BSD-3-Clause
// Reads the environment variables (OpenMP 5.0, chapter 6) once: when the library is loaded, or before the first
// construct if a construct is executed earlier. If a value is invalid, the runtime writes one line to stderr and
// ignores the value.
#include "../sync/mutex.h"
#include "../task/optional.h"
#include "../variant/variant.h"
#include "display.h"
#include "parse.h"
#include "place.h"
#include "text.h"

#define COUNT_OF(array) (int)(sizeof(array) / sizeof *(array))

// -- Functions that read one kind of value -----------------------------------------------------------------------------

// Each function read_* reads a value of one kind, which begins at `*text`. The function stores the value to `*to`,
// moves `*text` to the character after the value, and returns true. It returns false if `*text` does not begin with a
// value of this kind.
static bool read_boolean(const char **text, void *to) {
    static const char *const words[] = {"false", "true"};
    int choice = skerry_omp_parse_choice(text, words, COUNT_OF(words));
    if (choice >= 0) *(bool *)to = choice;
    return choice >= 0;
}

static bool read_count(const char **text, void *to) {
    uint64_t number;
    if (!skerry_omp_parse_number(text, INT32_MAX, &number)) return false;
    *(int32_t *)to = (int32_t)number;
    return true;
}

static bool read_positive(const char **text, void *to) {
    int32_t number;
    if (!read_count(text, &number) || number == 0) return false;
    *(int32_t *)to = number;
    return true;
}

// Reads a limit on the number of threads. No process has more than INT32_MAX threads. A limit above INT32_MAX is
// therefore stored as UINT32_MAX, which means no limit.
static bool read_thread_limit(const char **text, void *to) {
    uint64_t number;
    if (!skerry_omp_parse_number(text, UINT64_MAX, &number) || number == 0) return false;
    *(uint32_t *)to = number > INT32_MAX ? UINT32_MAX : (uint32_t)number;
    return true;
}

static bool read_levels(const char **text, void *to) {
    uint64_t number;
    if (!skerry_omp_parse_number(text, UINT64_MAX, &number)) return false;
    *(uint8_t *)to = number > OMP_LEVELS_MAX ? OMP_LEVELS_MAX : (uint8_t)number;
    return true;
}

// Reads a list of numbers: one number of threads for each nesting level of regions. Numbers for levels from
// OMP_LIST_MAX on are checked but not stored.
static bool read_threads(const char **text, void *to) {
    struct omp_device_icv *device = to;
    device->threads_levels = 0;
    do {
        int32_t number;
        if (!read_positive(text, &number)) return false;
        if (device->threads_levels < OMP_LIST_MAX) device->threads_list[device->threads_levels++] = (uint32_t)number;
    } while (skerry_omp_parse_char(text, ','));
    return true;
}

static bool read_schedule(const char **text, void *to) {
    static const char *const words[] = {"static", "dynamic", "guided", "auto"};
    struct omp_icv *icv = to;
    bool monotonic = skerry_omp_parse_word(text, "monotonic");
    bool nonmonotonic = !monotonic && skerry_omp_parse_word(text, "nonmonotonic");
    if ((monotonic || nonmonotonic) && !skerry_omp_parse_char(text, ':')) return false;
    int choice = skerry_omp_parse_choice(text, words, COUNT_OF(words));
    if (choice < 0) return false;
    int32_t chunk = choice != 0;
    if (skerry_omp_parse_char(text, ',') && !read_count(text, &chunk)) return false;
    if (chunk == 0 && choice != 0) chunk = 1;
    icv->schedule = (uint32_t)choice + OMP_SCHEDULE_STATIC;
    if (monotonic || (choice == 0 && !nonmonotonic)) icv->schedule |= OMP_SCHEDULE_MONOTONIC;
    icv->chunk = chunk;
    return true;
}

static bool read_bind(const char **text, void *to) {
    static const char *const words[] = {"primary", "master", "close", "spread"};
    static const uint8_t values[] = {OMP_BIND_PRIMARY, OMP_BIND_PRIMARY, OMP_BIND_CLOSE, OMP_BIND_SPREAD};
    struct omp_device_icv *device = to;
    bool is_bound;
    device->bind_levels = 1;
    device->bind_list[0] = OMP_BIND_FALSE;
    if (read_boolean(text, &is_bound)) {
        if (is_bound) device->bind_list[0] = OMP_BIND_TRUE;
        return true;
    }
    uint32_t levels = 0;
    do {
        int choice = skerry_omp_parse_choice(text, words, COUNT_OF(words));
        if (choice < 0) return false;
        if (levels < OMP_LIST_MAX) device->bind_list[levels++] = values[choice];
    } while (skerry_omp_parse_char(text, ','));
    device->bind_levels = levels;
    return true;
}

static bool read_wait_policy(const char **text, void *to) {
    static const char *const words[] = {"passive", "active"};
    *(int32_t *)to = skerry_omp_parse_choice(text, words, COUNT_OF(words));
    return *(int32_t *)to >= 0;
}

static bool read_offload(const char **text, void *to) {
    static const char *const words[] = {"default", "mandatory", "disabled"};
    *(int32_t *)to = skerry_omp_parse_choice(text, words, COUNT_OF(words));
    return *(int32_t *)to >= 0;
}

static bool read_display(const char **text, void *to) {
    static const char *const words[] = {"false", "true", "verbose"};
    *(int32_t *)to = skerry_omp_parse_choice(text, words, COUNT_OF(words));
    return *(int32_t *)to >= 0;
}

// Reads a size: a number and an optional unit (B, K, M or G). A number without a unit counts units of 1024 bytes.
// Stores the size in bytes.
static bool read_bytes(const char **text, void *to) {
    static const char *const units[] = {"b", "k", "m", "g"};
    uint64_t number;
    if (!skerry_omp_parse_number(text, SIZE_MAX, &number) || number == 0) return false;
    int unit = skerry_omp_parse_choice(text, units, COUNT_OF(units));
    uint32_t shift = unit < 0 ? 10 : 10 * (uint32_t)unit;
    if (number > SIZE_MAX >> shift) return false;
    *(size_t *)to = (size_t)number << shift;
    return true;
}

static bool read_allocator(const char **text, void *to) {
    int choice = skerry_omp_parse_choice(text, skerry_omp_allocator_names, OMP_ALLOCATORS);
    if (choice >= 0) *(uintptr_t *)to = (uintptr_t)choice + 1;
    return choice >= 0;
}

// -- The variables -----------------------------------------------------------------------------------------------------

#define INITIAL(name) &skerry_omp_initial_icv.name
#define DEVICE(name) &skerry_omp_device.name
static const struct variable {
    const char *name;
    bool (*read)(const char **text, void *to);
    void *to;
    const char *rule;
} variables[] = {
    {"OMP_DYNAMIC", read_boolean, INITIAL(dynamic), "true or false"},
    {"OMP_SCHEDULE", read_schedule, &skerry_omp_initial_icv,
     "of the form [monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]"},
    {"OMP_NUM_THREADS", read_threads, &skerry_omp_device, "a list of positive numbers"},
    {"OMP_THREAD_LIMIT", read_thread_limit, INITIAL(thread_limit), "a positive number"},
    {"OMP_MAX_ACTIVE_LEVELS", read_levels, INITIAL(max_active_levels), "a number that is not negative"},
    {"OMP_PROC_BIND", read_bind, &skerry_omp_device, "true, false or a list of primary, master, close, spread"},
    {"OMP_CANCELLATION", read_boolean, DEVICE(cancellation), "true or false"},
    {"OMP_DISPLAY_AFFINITY", read_boolean, DEVICE(display_affinity), "true or false"},
    {"OMP_DEFAULT_DEVICE", read_count, INITIAL(default_device), "a number that is not negative"},
    {"OMP_TARGET_OFFLOAD", read_offload, DEVICE(target_offload), "mandatory, disabled or default"},
    {"OMP_MAX_TASK_PRIORITY", read_count, DEVICE(max_task_priority), "a number that is not negative"},
    {"OMP_ALLOCATOR", read_allocator, INITIAL(allocator), "the name of a predefined allocator"},
    {"OMP_NUM_TEAMS", read_positive, DEVICE(teams), "a positive number"},
    {"OMP_TEAMS_THREAD_LIMIT", read_positive, DEVICE(teams_limit), "a positive number"},
    {"OMP_WAIT_POLICY", read_wait_policy, DEVICE(wait_policy), "active or passive"},
    {"GOMP_STACKSIZE", read_bytes, DEVICE(stack_bytes), "a size such as 512K, 2M or 1G"},
    {"OMP_STACKSIZE", read_bytes, DEVICE(stack_bytes), "a size such as 512K, 2M or 1G"},
    {"OMP_DISPLAY_ENV", read_display, DEVICE(display_environment), "true, false or verbose"},
};

// Reads an environment variable. Returns true if the variable is set and its value is valid. If the value is invalid,
// writes a warning and restores the old control variables. The reason: the variable's read function can store a part of
// the value before it finds the error.
static bool read_variable(const struct variable *variable) {
    const char *value = skerry_environment(variable->name);
    if (!value) return false;
    struct omp_icv icv = skerry_omp_initial_icv;
    struct omp_device_icv device = skerry_omp_device;
    const char *text = value;
    if (variable->read(&text, variable->to) && skerry_omp_parse_end(&text)) return true;
    skerry_omp_initial_icv = icv;
    skerry_omp_device = device;
    skerry_omp_warn_of_variable(variable->name, value, variable->rule);
    return false;
}

// Sets max-active-levels-var, the greatest number of nested active regions, from OMP_NESTED. Called if
// OMP_MAX_ACTIVE_LEVELS, the newer variable for the same setting, is not set. If OMP_NESTED is not set either, nested
// regions are active if OMP_NUM_THREADS or OMP_PROC_BIND lists values for several levels.
static void read_nesting(void) {
    static bool nested;
    static const struct variable variable = {"OMP_NESTED", read_boolean, &nested, "true or false"};
    bool is_list = skerry_omp_device.threads_levels > 1 || skerry_omp_device.bind_levels > 1;
    if (read_variable(&variable)) skerry_omp_initial_icv.max_active_levels = nested ? OMP_LEVELS_MAX : 1;
    else skerry_omp_initial_icv.max_active_levels = is_list ? OMP_LEVELS_MAX : 1;
}

// Writes a description of the calling thread into `to`: its number, the size of its team, and the number of unfinished
// tasks of its region. Each line of a report about a deadlock begins with this text (skerry_watch_for_deadlock).
static void describe_waiting(char *to, size_t bytes) {
    const struct omp_thread *self = skerry_omp_self;
    const struct omp_team *team = self ? self->state.team : NULL;
    struct omp_text text = {to, bytes, 0};
    omp_text_end(&text);
    if (!team) return;
    omp_text_string(&text, "thread ");
    omp_text_number(&text, self->state.thread_number);
    omp_text_string(&text, " of ");
    omp_text_number(&text, team->threads);
    if (team->level > 1) {
        omp_text_string(&text, " at level ");
        omp_text_number(&text, team->level);
    }
    const int64_t left = OMP_HAS_TASKS ? omp_difference(skerry_omp_tasks_left(team), 0) : 0;
    if (left > 0) {
        omp_text_string(&text, ", whose region has ");
        omp_text_number(&text, left);
        omp_text_string(&text, left == 1 ? " task left," : " tasks left,");
    }
    omp_text_end(&text);
}

// Returns true if the environment variable SKERRY_CHECK switches the checks for deadlocks on. Ends the program if the
// value of SKERRY_CHECK is not one of `words`. Programs of OpenSHMEM use the same variable with the same words
// (src/primitive/checking.c).
static bool is_checked(void) {
    static const char *const words[] = {"0", "no", "off", "false", "1", "yes", "on", "true", "strict"};
    enum { FIRST_ON = 4 };
    const char *value = skerry_environment("SKERRY_CHECK"), *text = value;
    if (!text || skerry_omp_parse_end(&text)) return false;
    int choice = skerry_omp_parse_choice(&text, words, COUNT_OF(words));
    if (choice >= 0 && skerry_omp_parse_end(&text)) return choice >= FIRST_ON;
    OMP_TEXT(line, 512);
    omp_text_string(&line, "libgomp: SKERRY_CHECK=");
    omp_text_string(&line, value);
    omp_text_string(&line, ": must be 0, no, off or false, 1, yes, on or true, or strict");
    skerry_stop(omp_text_end(&line));
}

static void read_all(void) {
    struct omp_icv *icv = &skerry_omp_initial_icv;
    struct omp_device_icv *device = &skerry_omp_device;
    *icv = (struct omp_icv){.thread_limit = UINT32_MAX, .schedule = OMP_SCHEDULE_DYNAMIC, .chunk = 1, .allocator = 1};
    icv->max_active_levels = 1;
    icv->threads = (uint32_t)skerry_processors();
    device->wait_policy = -1;
    if (!skerry_has_environment()) return;
    icv->default_device = OMP_DEVICE_INVALID;
    bool has_levels = false;
    for (int i = 0; i < COUNT_OF(variables); i++) {
        bool is_read = read_variable(&variables[i]);
        if (is_read && variables[i].read == read_levels) has_levels = true;
    }
    if (!has_levels) read_nesting();
    // If OMP_DEFAULT_DEVICE is not set, the default device is 0, the host. But if OMP_TARGET_OFFLOAD is mandatory, the
    // default device stays invalid. OpenMP requires this where the host is the only device.
    if (icv->default_device == OMP_DEVICE_INVALID && device->target_offload != OMP_OFFLOAD_MANDATORY)
        icv->default_device = 0;
    if (device->threads_levels) icv->threads = device->threads_list[0];
    if (device->bind_levels) icv->bind = device->bind_list[0];
    skerry_omp_read_variants();
    skerry_omp_read_places();
    skerry_omp_read_affinity_format();
    if (device->display_affinity) device->places_threads = true;
    if (device->wait_policy >= 0) skerry_wait_policy(device->wait_policy ? 1 : 2);
    if (device->stack_bytes && !skerry_worker_stack(device->stack_bytes)) {
        skerry_warn("libgomp: OMP_STACKSIZE: the system refuses stacks of this size; threads get the default size");
        device->stack_bytes = 0;
    }
    if (is_checked()) skerry_watch_for_deadlock(describe_waiting);
    if (device->display_environment > 0) skerry_omp_display_environment(device->display_environment > 1);
}

void skerry_omp_begin(void) {
    static uint32_t lock, done;
    omp_mutex_take(&lock);
    if (!done) read_all();
    done = 1;
    omp_mutex_give(&lock);
}

__attribute__((constructor)) static void begin(void) {
    skerry_omp_begin();
    // If the environment requests places or checks, creates the runtime's data for the first thread now, before `main`
    // runs. The thread then moves to its place before it touches memory, and the detection of deadlocks includes this
    // thread.
    if (skerry_omp_places.count || is_checked()) omp_self();
}

// Appends the reason for which a region has `threads` threads and no more: each core of this machine runs one thread.
static void write_cores(struct omp_text *line, uint32_t threads) {
    const uint32_t cores = (uint32_t)skerry_processors();
    omp_text_string(line, "because each core runs one thread, and the program has ");
    omp_text_number(line, cores);
    omp_text_string(line, cores == 1 ? " core" : " cores");
    if (threads >= cores) return;
    omp_text_string(line, ", of which other regions have ");
    omp_text_number(line, cores - threads);
}

static void write_reason(struct omp_text *line, uint32_t threads, int reason) {
    switch (reason) {
    case SKERRY_NO_CORE: write_cores(line, threads); return;
    case SKERRY_NO_MEMORY:
        omp_text_string(line,
                        "because there is no memory for more threads (OMP_STACKSIZE sets the size of their stacks)");
        return;
    case SKERRY_NO_NUMBER:
        omp_text_string(line, "because a program can have at most ");
        omp_text_number(line, SKERRY_WORKERS_MAX);
        omp_text_string(line, " threads");
        return;
    default: omp_text_string(line, "because the system cannot start more threads"); return;
    }
}

void skerry_omp_warn_of_fewer(uint32_t threads, uint32_t wanted, int reason) {
    static bool once;
    if (__atomic_exchange_n(&once, true, __ATOMIC_RELAXED)) return;
    OMP_TEXT(line, 256);
    omp_text_string(&line, "libgomp: a parallel region has ");
    omp_text_number(&line, threads);
    omp_text_string(&line, threads == 1 ? " thread" : " threads");
    omp_text_string(&line, " instead of ");
    omp_text_number(&line, wanted);
    omp_text_string(&line, ", ");
    write_reason(&line, threads, reason);
    skerry_warn(omp_text_end(&line));
}
