// SPDX-License-Identifier: BSD-3-Clause
// What other files and a shared library give to the tests.
#ifndef SKERRY_TEST_RPC_PARTS_PARTS_H
#define SKERRY_TEST_RPC_PARTS_PARTS_H

long of_other_file(long *at, long by);
extern __typeof__(of_other_file) of_other_file_rpc; // RPC(of_other_file) stands in other_file.c

long of_library(long *at, long by);
extern __typeof__(of_library) of_library_rpc;
long call_same_name_of_library(long *at);

#endif
