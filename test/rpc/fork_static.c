// SPDX-License-Identifier: BSD-3-Clause
// As fork, in a statically linked program: there the library's variables are part of the static data, which a child shares with its
// parent until it has a copy. The parent goes on running the calls of other PEs.
// link: static
// pes: 2 3
#include "fork.c"
