// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines for teams (specification, section 9.4).

//@ shmem_team_my_pe: shmem_team_my_pe shmem_team_n_pes
// Returns the rank of this PE in a team (shmem_team_my_pe), or the number of PEs of the team (shmem_team_n_pes). For
// SHMEM_TEAM_INVALID they return -1.
//   team  a team of which this PE is a member
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_MY_PE and SHMEM_TEAM_N_PES.

//@ shmem_team_get_config: shmem_team_get_config
// Gives the configuration with which a team was created.
//   config_mask  members of the configuration to give: SHMEM_TEAM_NUM_CONTEXTS or 0
//   config       receives these members
// Returns: 0, or non-zero for SHMEM_TEAM_INVALID or an unknown bit in config_mask.
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_GET_CONFIG.

//@ shmem_team_translate_pe: shmem_team_translate_pe
// Translates the rank of a PE in one team to its rank in another team.
//   src_team, src_pe  a team, and the rank of the PE in it
//   dest_team         the other team
// Returns: the rank in dest_team, or -1 if the PE is not a member of dest_team.
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_TRANSLATE_PE.

//@ shmem_team_split_strided: shmem_team_split_strided
// Creates a team of the PEs start, start + stride, ... of a parent team. The routine is collective on the parent, with
// equal arguments.
//   start, stride, size  first rank in the parent, distance between two ranks, number of PEs; stride can be negative,
//                        or 0 if size is 1
//   config, config_mask  configuration of the team; NULL and 0: the defaults
//   new_team             set to the team, or to SHMEM_TEAM_INVALID on PEs that are not members
// Returns: 0, or non-zero on all PEs if a rank is outside the parent, if the configuration is invalid, or if too many
// teams exist. A PE can be in 1021 teams at a time on Linux, and in 9 on a chip, besides the predefined teams.
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_SPLIT_STRIDED.

//@ shmem_team_split_2d: shmem_team_split_2d
// Arranges the PEs of a parent team in rows of xrange PEs, and creates a team for each row and for each column. The
// routine is collective on the parent.
//   xrange      number of PEs in a row; the last row can have fewer PEs
//   xaxis_team  set to the team of this PE's row
//   yaxis_team  set to the team of this PE's column
// Returns: 0, or non-zero on all PEs if xrange is less than 1 or a team cannot be created.
// Source: OpenSHMEM 1.6, teams, SHMEM_TEAM_SPLIT_2D.

//@ shmem_team_destroy: shmem_team_destroy
// Destroys a team and the contexts that were created from it. The routine is collective on the team.
//   team  a team that is not predefined; for SHMEM_TEAM_INVALID the routine does nothing
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
