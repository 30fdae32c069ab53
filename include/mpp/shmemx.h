/* SPDX-License-Identifier: BSD-3-Clause
   The header under its deprecated folder (specification, annex on deprecated interfaces). */
#include "../shmemx.h"
