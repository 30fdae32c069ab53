// SPDX-License-Identifier: BSD-3-Clause
// Implements micro-cores of the data network. A micro-core has one job at a time: its next job would change the route of the
// one before. So the start of a job waits for the end of the last one.
//
// The number of a micro-core's jobs that have ended is `cleared` plus the count of its events. A core that waits for an event
// first sets the count to 0 and then adds it to `cleared`. In between, another core sees too few ends and only waits longer.
// One core at a time configures and starts a micro-core, so the other members need no order.
#include "internal.h"

struct micro_core {
    bool is_configured, is_linked;
    uint32_t channel, route, tag;
    const void *source;
    uint32_t offset, bytes;
    uint32_t started; // jobs
    uint32_t cleared; // ends of jobs whose events were cleared
};

static struct micro_core micro_cores[SKERRY_NOC_ENGINES];

const char mppa_noc_linear_firmware_eot_event[] = "linear";

enum { SIZE, LOCAL_OFFSET, REMOTE_OFFSET }; // parameters

static void begin(unsigned uc) {
    micro_cores[uc] = (struct micro_core){.is_configured = false};
    skerry_noc_open_engine(uc);
}

static void await_last_job(unsigned uc) {
    struct micro_core *own = &micro_cores[uc];
    while (__atomic_load_n(&own->cleared, __ATOMIC_ACQUIRE) + skerry_noc_engine_events(uc) != own->started) {
    }
}

mppa_noc_ret_t mppa_noc_dnoc_uc_alloc(int interface, unsigned uc) {
    skerry_noc_check_interface("mppa_noc_dnoc_uc_alloc", interface);
    if (!skerry_noc_take(SKERRY_NOC_ENGINE, uc)) return MPPA_NOC_RET_FAILURE;
    begin(uc);
    return MPPA_NOC_RET_SUCCESS;
}

mppa_noc_ret_t mppa_noc_dnoc_uc_alloc_auto(int interface, unsigned *uc, int blocking) {
    skerry_noc_check_interface("mppa_noc_dnoc_uc_alloc_auto", interface);
    if (!skerry_noc_take_any(SKERRY_NOC_ENGINE, uc, blocking != MPPA_NOC_NON_BLOCKING)) return MPPA_NOC_RET_FAILURE;
    begin(*uc);
    return MPPA_NOC_RET_SUCCESS;
}

void mppa_noc_dnoc_uc_free(int interface, unsigned uc) {
    skerry_noc_check("mppa_noc_dnoc_uc_free", interface, SKERRY_NOC_ENGINE, uc);
    await_last_job(uc);
    if (skerry_noc_forget_handler) skerry_noc_forget_handler(MPPA_NOC_INTERRUPT_LINE_DNOC_TX, uc);
    skerry_noc_give(SKERRY_NOC_ENGINE, uc);
}

mppa_noc_ret_t mppa_noc_dnoc_uc_link(int interface, unsigned uc, unsigned tx,
                                     mppa_noc_dnoc_uc_configuration_t configuration) {
    (void)configuration;
    skerry_noc_check("mppa_noc_dnoc_uc_link", interface, SKERRY_NOC_ENGINE, uc);
    skerry_noc_check("mppa_noc_dnoc_uc_link", interface, SKERRY_NOC_CHANNEL, tx);
    micro_cores[uc].channel = tx;
    micro_cores[uc].is_linked = true;
    return MPPA_NOC_RET_SUCCESS;
}

// The last job still uses the channel.
mppa_noc_ret_t mppa_noc_dnoc_uc_unlink(int interface, unsigned uc, unsigned tx) {
    skerry_noc_check("mppa_noc_dnoc_uc_unlink", interface, SKERRY_NOC_ENGINE, uc);
    if (!micro_cores[uc].is_linked || micro_cores[uc].channel != tx) return MPPA_NOC_RET_FAILURE;
    await_last_job(uc);
    micro_cores[uc].is_linked = false;
    return MPPA_NOC_RET_SUCCESS;
}

void mppa_noc_dnoc_uc_set_linear_params(mppa_noc_dnoc_uc_configuration_t *configuration, uint32_t size,
                                        uint32_t local_offset, uint32_t remote_offset) {
    configuration->parameters[SIZE] = size;
    configuration->parameters[LOCAL_OFFSET] = local_offset;
    configuration->parameters[REMOTE_OFFSET] = remote_offset;
}

mppa_noc_ret_t mppa_noc_dnoc_uc_configure(int interface, unsigned uc, mppa_noc_dnoc_uc_configuration_t configuration,
                                          mppa_dnoc_header_t header, mppa_dnoc_channel_config_t config) {
    skerry_noc_check("mppa_noc_dnoc_uc_configure", interface, SKERRY_NOC_ENGINE, uc);
    struct micro_core *own = &micro_cores[uc];
    const uint32_t size = configuration.parameters[SIZE], from = configuration.parameters[LOCAL_OFFSET];
    if (configuration.program_start != (uintptr_t)mppa_noc_linear_firmware_eot_event) return MPPA_NOC_RET_FAILURE;
    if (from > configuration.buffer_size || size > configuration.buffer_size - from) return MPPA_NOC_RET_FAILURE;
    if (header._.tag >= SKERRY_NOC_TAGS || header._.multicast != 0) return MPPA_NOC_RET_FAILURE;
    if (!skerry_noc_is_memory((const char *)configuration.buffer_base + from, size)) return MPPA_NOC_RET_FAILURE;
    own->route = skerry_noc_checked_route("mppa_noc_dnoc_uc_configure", config._.first_dir, header._.route);
    own->tag = header._.tag;
    own->source = (const char *)configuration.buffer_base + from;
    own->offset = configuration.parameters[REMOTE_OFFSET];
    own->bytes = size;
    own->is_configured = true;
    return MPPA_NOC_RET_SUCCESS;
}

void mppa_noc_dnoc_uc_set_program_run(int interface, unsigned uc, mppa_noc_uc_program_run_t run) {
    static const char routine[] = "mppa_noc_dnoc_uc_set_program_run";
    skerry_noc_check(routine, interface, SKERRY_NOC_ENGINE, uc);
    struct micro_core *own = &micro_cores[uc];
    if (!own->is_configured || !own->is_linked)
        skerry_fail_values(routine, "micro-core #: it was not configured and linked", (long[]){(long)uc}, 1);
    if (run.activation == 0) return;
    await_last_job(uc);
    own->started++;
    skerry_noc_start_engine(uc, own->channel, own->route, own->tag, own->offset, own->source, own->bytes);
}

uint32_t skerry_noc_await_engine(unsigned uc) {
    const uint32_t events = skerry_noc_engine_wait(uc);
    __atomic_fetch_add(&micro_cores[uc].cleared, events, __ATOMIC_RELEASE);
    return events;
}
