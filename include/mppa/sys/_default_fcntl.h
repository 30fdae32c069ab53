// SPDX-License-Identifier: BSD-3-Clause
// Programs for Kalray's MPPA processors include this header for the constants of open(). On Linux <fcntl.h> defines
// these constants.
#include <fcntl.h>
