// SPDX-License-Identifier: BSD-3-Clause
// Declares the routes of the networks on the chip under the names of Kalray's MPPA, for programs of the simulated clusters
// (oshcc --machine mppa). Programs for Linux include this header too, but have no such routines.
#ifndef SKERRY_MPPA_ROUTING_H
#define SKERRY_MPPA_ROUTING_H

#ifdef __linux__
#include <mppa_async.h>
#else

#include "mppa_noc.h"

typedef enum { MPPA_ROUTING_RET_SUCCESS, MPPA_ROUTING_RET_FAILURE } mppa_routing_ret_t;

//@ mppa_routing_get_dnoc_unicast_route: mppa_routing_get_dnoc_unicast_route mppa_routing_get_cnoc_unicast_route
// Finds the route of the data network, or of the control network, from one node to another or to itself. Both are a
// torus of 4 x 4 clusters, numbered row by row, with the I/O nodes beside it. The routes go along the row and then along the column, so they cannot deadlock.
//   source, target  clusters 0 to 15; 128 and 192: the I/O nodes
//   config, header  receive the route. The other values there do not change
// Returns: MPPA_ROUTING_RET_SUCCESS; MPPA_ROUTING_RET_FAILURE if there is no such node.
// Source: Kalray's public interface.

mppa_routing_ret_t mppa_routing_get_dnoc_unicast_route(int source, int target, mppa_dnoc_channel_config_t *config,
                                                       mppa_dnoc_header_t *header);
mppa_routing_ret_t mppa_routing_get_cnoc_unicast_route(int source, int target, mppa_cnoc_config_t *config,
                                                       mppa_cnoc_header_t *header);

#endif
#endif
