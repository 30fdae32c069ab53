// SPDX-License-Identifier: BSD-3-Clause
// Implements the routes of the networks. Under MPPA's names, a route is a first step and the steps that follow it.
#include <mppa/mppa_routing.h>

#include "internal.h"

#define DIRECTION_BITS 3 // of one step of a route

mppa_routing_ret_t mppa_routing_get_cnoc_unicast_route(int source, int target, mppa_cnoc_config_t *config,
                                                       mppa_cnoc_header_t *header) {
    uint32_t route;
    if (!skerry_noc_route(source, target, &route)) return MPPA_ROUTING_RET_FAILURE;
    config->_.first_dir = route & ((1u << DIRECTION_BITS) - 1);
    header->_.route = route >> DIRECTION_BITS;
    return MPPA_ROUTING_RET_SUCCESS;
}
