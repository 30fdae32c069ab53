// SPDX-License-Identifier: BSD-3-Clause
// Starts the processes of one node of a job, and waits until all have ended. The processes do nothing, except that the
// first ones start UCX: each of these makes a worker (UCP's object for communication), whose address it could publish. No
// job of so many processes can start and end in less time. The time must include the launcher, so measure the whole
// command on all nodes at the same time (test/hosts/start_time.sh):
//     ssh NODE start PROCESSES [PROCESSES_WITH_UCX]
// Only processes that use UCX load it, as a library would do it, so this program is not linked with UCX.
#include "limits.h"

#include <dlfcn.h>
#include <ucp/api/ucp.h>

static void check(const char *what, ucs_status_t status) {
    if (status == UCS_OK) return;
    fprintf(stderr, "start: %s: error %d\n", what, status);
    _exit(1);
}

static void *library;

static void *function(const char *name) {
    void *found = dlsym(library, name);
    if (found) return found;
    fprintf(stderr, "start: %s\n", dlerror());
    _exit(1);
}
#define FUNCTION(NAME) __typeof__(&(NAME)) NAME##_ = (__typeof__(&(NAME)))(uintptr_t)function(#NAME)

static void start_ucx(void) {
    setenv("UCX_MEM_EVENTS", "n", 0);
    setenv("UCX_ERROR_SIGNALS", "", 0);
    if (access("/sys/class/infiniband", F_OK) != 0) setenv("UCX_MODULES", "^ib,rdmacm", 0);
    library = dlopen("libucp.so.0", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "start: %s\n", dlerror());
        _exit(1);
    }
    FUNCTION(ucp_config_read);
    FUNCTION(ucp_init_version);
    FUNCTION(ucp_worker_create);
    FUNCTION(ucp_worker_get_address);
    ucp_config_t *config;
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_address_t *address;
    size_t bytes;
    const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                                 .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP};
    const ucp_worker_params_t worker_params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                               .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    check("ucp_config_read", ucp_config_read_(NULL, NULL, &config));
    check("ucp_init", ucp_init_version_(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &context));
    check("ucp_worker_create", ucp_worker_create_(context, &worker_params, &worker));
    check("ucp_worker_get_address", ucp_worker_get_address_(worker, &address, &bytes));
}

static void start_process(char *name) {
    static char self[] = "/proc/self/exe";
    char *const arguments[] = {name, NULL};
    pid_t child = vfork();
    if (child < 0) limit_fail("vfork");
    if (child == 0) {
        execv(self, arguments);
        _exit(1);
    }
}

static long number(const char *text) {
    char *end;
    const long value = strtol(text, &end, 10);
    if (*end || end == text || value < 0 || value > LIMIT_BATCHES_MAX) {
        fprintf(stderr, "start: %s: must be 0 to %d processes\n", text, LIMIT_BATCHES_MAX);
        exit(2);
    }
    return value;
}

int main(int argument_count, char **arguments) {
    static char bare[] = "bare", with_ucx[] = "with-ucx";
    if (strcmp(arguments[0], bare) == 0) return 0;
    if (strcmp(arguments[0], with_ucx) == 0) {
        start_ucx();
        return 0;
    }
    const long processes = argument_count > 1 ? number(arguments[1]) : 16;
    const long users = argument_count > 2 ? number(arguments[2]) : 0;
    const double begin = limit_now();
    for (long i = 0; i < processes; i++) start_process(i < users ? with_ucx : bare);
    for (long i = 0; i < processes; i++) {
        int status;
        if (wait(&status) < 0) limit_fail("wait");
        if (status != 0) return 1;
    }
    const double took = limit_now() - begin;
    printf("limit start %ld %.4g ns %.4g %.4g 1\n", processes, took, took, took);
    return 0;
}
