/* SPDX-License-Identifier: BSD-3-Clause
   shmemx.h under its deprecated name mpp/shmemx.h (specification, annex on deprecated interfaces). */
#include "../shmemx.h"
