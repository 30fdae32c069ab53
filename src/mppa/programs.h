// SPDX-License-Identifier: BSD-3-Clause
// Declares how programs begin and end under the names of Kalray's MPPA processors: set-up, barriers of programs, and
// the start of programs on clusters (groups of cores). mppa_async.h includes this header.
#ifndef SKERRY_MPPA_PROGRAMS_H
#define SKERRY_MPPA_PROGRAMS_H

// -- Set-up ------------------------------------------------------------------------------------------------------------

//@ mppa_rpc_server_init: mppa_rpc_server_init mppa_rpc_server_set_nb_rm mppa_async_server_init mppa_rpc_server_start mppa_rpc_server mppa_async_server_final mppa_rpc_server_free mppa_rpc_server_final
// Sets up or ends the library in an I/O program. The routine mppa_rpc_server_init sets the number of clusters. The
// program may use segments between mppa_async_server_init and mppa_async_server_final. mppa_rpc_server_start and
// mppa_rpc_server are two names of one routine. This routine waits until the program of each cluster has called
// mppa_async_final or has ended. A program may run this routine as a task. A thread of the library executes requests of
// other programs all the time. Therefore mppa_rpc_server_set_nb_rm, mppa_rpc_server_free and mppa_rpc_server_final do
// nothing.
//   nb_cluster      number of clusters that take part, 1 to 16: clusters 0 to nb_cluster - 1
//   rm, ddr_offset  the core that runs the server, and the number that the server adds to addresses: ignored here
//   count           ignored
// Returns: 0; -1 if segments are not available.
// Errors: a call in a cluster's program, or an nb_cluster that is not 1 to 16, ends the job with an error message. The
// use of segments before mppa_async_server_init or after mppa_async_server_final also ends the job with an error
// message.
// Source: Kalray's public interface. See aos_init(3).

int mppa_rpc_server_init(int rm, int ddr_offset, int nb_cluster);
int mppa_rpc_server_set_nb_rm(int count);
int mppa_async_server_init(void);
int mppa_rpc_server_start(void);
int mppa_rpc_server(void);
int mppa_async_server_final(void);
int mppa_rpc_server_free(void);
#define mppa_rpc_server_final mppa_rpc_server_free

//@ mppa_rpc_client_init: mppa_rpc_client_init mppa_async_init mppa_async_final mppa_rpc_client_free mppa_rpc_client_final
// Sets up or ends the library in a cluster's program. The program may use segments between mppa_async_init and
// mppa_async_final. mppa_async_final completes the program's operations, destroys its segments, and records for the
// master that this cluster is done. mppa_rpc_client_init only checks that the call is in a cluster's program.
// mppa_rpc_client_free and mppa_rpc_client_final do nothing.
// Returns: 0; -1 if segments are not available.
// Errors: a call of mppa_rpc_client_init or mppa_async_init in an I/O program ends the job with an error message. The
// same is true in a program that no master started.
// Source: Kalray's public interface. See aos_init(3).

int mppa_rpc_client_init(void);
int mppa_async_init(void);
int mppa_async_final(void);
int mppa_rpc_client_free(void);
#define mppa_rpc_client_final mppa_rpc_client_free

//@ mppa_rpc_barrier_all: mppa_rpc_barrier_all mppa_rpc_barrier
// Waits until all programs of a set have called the routine. For mppa_rpc_barrier_all the set is the programs of all
// clusters, whose number mppa_rpc_server_init has set. For mppa_rpc_barrier the set is some programs; one of them can
// be the master. The routine first completes the caller's operations on segments.
//   clusters  a set of bits, not 0, that identifies the barrier: programs that give the same set wait for one another.
//             Bits 0 to 15 are the clusters that take part. A job may use up to 64 sets
//   count     number of programs that call the routine with this set
// Returns: 0; -1 if clusters is 0, count is less than 1, or the job has too many sets.
// Errors: mppa_rpc_barrier_all ends the job with an error message if the master calls it. Both routines do the same if so many
// programs of the set have ended, or were never started, that the barrier cannot complete, and the master cannot start
// others because it waits too.
// Source: Kalray's public interface.

int mppa_rpc_barrier_all(void);
int mppa_rpc_barrier(unsigned long long clusters, int count);

#define MPPA_RPC_CLUSTER_MAX_REQUEST 16

// -- Programs of clusters ----------------------------------------------------------------------------------------------

typedef int mppa_power_pid_t;
#define MPPA_POWER_SHUFFLING_DISABLED 0
#define MPPA_POWER_SHUFFLING_ENABLED 1

// The type of an array of strings. In C an argument of this type can be any pointer, for example `char **`, without a cast.
#ifdef __cplusplus
typedef const char *const *mppa_power_strings_t;
#else
typedef union {
    const char *const *strings;
    const void *any;
} mppa_power_strings_t __attribute__((transparent_union));
#endif

//@ mppa_power_base_spawn: mppa_power_base_spawn mppa_power_base_waitpid
// Starts a program on a cluster, or waits until the program of a cluster has ended. Only the master may call these
// routines.
//   cluster      0 to 15; 192: the second I/O program
//   program      a path, or a name to search for in the folder of the master's file, the working directory, and `PATH`
//   arguments    arguments of main, including the program's name, with NULL at the end. NULL: only the name
//   environment  the environment, with NULL at the end. NULL: the master's environment
//   status       NULL, or receives the exit code
//   flags, options  ignored
// Returns: the cluster; -1 after an error message if the program could not be started; -1 if the cluster has no program
// to wait for: none was started, or its end was waited for before. The end of the master ends all programs.
// Errors: a call in another program than the master, or an invalid cluster, ends the job with an error message. If a
// signal kills a started program, the job also ends with an error message.
// Source: Kalray's public interface.

mppa_power_pid_t mppa_power_base_spawn(int cluster, const char *program, mppa_power_strings_t arguments,
                                       mppa_power_strings_t environment, int flags);
mppa_power_pid_t mppa_power_base_waitpid(mppa_power_pid_t cluster, int *status, int options);

#endif
