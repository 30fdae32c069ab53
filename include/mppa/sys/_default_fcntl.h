// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header for the constants of open(). Here <fcntl.h> has these constants.
#include <fcntl.h>
