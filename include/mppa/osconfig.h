// SPDX-License-Identifier: BSD-3-Clause
// MPPA's name (mppa/osconfig.h): sizes for an operating system that is not this one.
#include <mppa_async.h>
