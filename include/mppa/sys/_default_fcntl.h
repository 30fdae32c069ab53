// SPDX-License-Identifier: BSD-3-Clause
// The C library of MPPA's compiler has its constants for open() here.
#include <fcntl.h>
