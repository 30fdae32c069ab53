/* SPDX-License-Identifier: BSD-3-Clause
   shmem.h under its deprecated name mpp/shmem.h (specification, annex on deprecated interfaces). */
#include "../shmem.h"
