// SPDX-License-Identifier: BSD-3-Clause
// Implements the routes of the networks.
#include <mppa/mppa_routing.h>

#include "internal.h"

uint32_t skerry_noc_checked_route(const char *routine, uint32_t first_step, uint32_t rest) {
    const uint32_t route = rest << SKERRY_NOC_STEP_BITS | first_step;
    if (!skerry_noc_is_route(route))
        skerry_fail_values(routine, "config and header: the route, first_dir # and route @, leaves the network",
                           (long[]){(long)first_step, (long)rest}, 2);
    return route;
}

static mppa_routing_ret_t find(int source, int target, uint32_t *first, uint32_t *rest) {
    uint32_t route;
    if (!skerry_noc_route(source, target, &route)) return MPPA_ROUTING_RET_FAILURE;
    *first = route & ((1u << SKERRY_NOC_STEP_BITS) - 1);
    *rest = route >> SKERRY_NOC_STEP_BITS;
    return MPPA_ROUTING_RET_SUCCESS;
}

mppa_routing_ret_t mppa_routing_get_dnoc_unicast_route(int source, int target, mppa_dnoc_channel_config_t *config,
                                                       mppa_dnoc_header_t *header) {
    return find(source, target, &config->_.first_dir, &header->_.route);
}

mppa_routing_ret_t mppa_routing_get_cnoc_unicast_route(int source, int target, mppa_cnoc_config_t *config,
                                                       mppa_cnoc_header_t *header) {
    return find(source, target, &config->_.first_dir, &header->_.route);
}
