// SPDX-License-Identifier: BSD-3-Clause
// What the tests of remote procedure calls share.
#ifndef SKERRY_TEST_CHIP_RPC_CHECK_H
#define SKERRY_TEST_CHIP_RPC_CHECK_H

#include <shmemx.h>

#include "../../shmem/test.h"

#define CHECK(condition) REQUIRE(condition, "%s", #condition)

#endif
