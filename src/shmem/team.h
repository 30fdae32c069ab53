// SPDX-License-Identifier: BSD-3-Clause
// Teams (specification, section 9.4).

//@ shmem_team_my_pe: shmem_team_my_pe shmem_team_n_pes
// The rank of this PE in a team, and the count of its PEs; -1 for SHMEM_TEAM_INVALID.
//   team  a team that this PE is in
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_MY_PE and SHMEM_TEAM_N_PES.

//@ shmem_team_get_config: shmem_team_get_config
// The configuration with which a team was made.
//   config_mask  which members: SHMEM_TEAM_NUM_CONTEXTS or 0
//   config       where they go
// Returns: 0, or non-zero for SHMEM_TEAM_INVALID.
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_GET_CONFIG.

//@ shmem_team_translate_pe: shmem_team_translate_pe
// The rank in one team of a PE given by its rank in another.
//   src_team, src_pe  the PE
//   dest_team         the team whose rank is asked for
// Returns: the rank, or -1 when the PE is not in dest_team.
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_TRANSLATE_PE.

//@ shmem_team_split_strided: shmem_team_split_strided
// Makes a team of PEs start, start + stride, ... of a parent. Collective on the parent with equal arguments.
//   start, stride, size  in the parent's ranks; stride may be negative, and 0 when size is 1
//   config, config_mask  what the team is to have; NULL and 0: the defaults
//   new_team             the team; SHMEM_TEAM_INVALID in PEs that are not in it
// Returns: 0, or non-zero on all PEs when the triple leaves the parent or no more teams are to be had (1021 at a time).
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_SPLIT_STRIDED.

//@ shmem_team_split_2d: shmem_team_split_2d
// Arranges a parent's PEs in rows of xrange and makes a team of each row and of each column. Collective on the parent.
//   xrange      length of a row; the last may be shorter
//   xaxis_team  this PE's row
//   yaxis_team  this PE's column
// Returns: 0, or non-zero on all PEs.
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_SPLIT_2D.

//@ shmem_team_destroy: shmem_team_destroy
// Destroys a team and the contexts made from it. Collective on the team.
//   team  no predefined one; SHMEM_TEAM_INVALID does nothing
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_DESTROY.

SKERRY_DECLARE(int, shmem_team_my_pe, (shmem_team_t team))
SKERRY_DECLARE(int, shmem_team_n_pes, (shmem_team_t team))
SKERRY_DECLARE(int, shmem_team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config))
SKERRY_DECLARE(int, shmem_team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team))
SKERRY_DECLARE(int, shmem_team_split_strided,
               (shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config,
                long config_mask, shmem_team_t *new_team))
SKERRY_DECLARE(int, shmem_team_split_2d,
               (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
                shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask,
                shmem_team_t *yaxis_team))
SKERRY_DECLARE(void, shmem_team_destroy, (shmem_team_t team))
