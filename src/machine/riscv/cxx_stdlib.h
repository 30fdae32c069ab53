// SPDX-License-Identifier: BSD-3-Clause
// The <stdlib.h> that comes before the C library's one on machines with the C++ library. newlib has quick_exit, but
// libstdc++'s configuration cannot find that out, because it cannot link programs for these cores.
#include_next <stdlib.h>

#ifdef __cplusplus
#ifndef _GLIBCXX_HAVE_QUICK_EXIT
#define _GLIBCXX_HAVE_QUICK_EXIT 1
#endif
#ifndef _GLIBCXX_HAVE_AT_QUICK_EXIT
#define _GLIBCXX_HAVE_AT_QUICK_EXIT 1
#endif
#endif
