#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The line about a crash finds the user's own code: in a shared library, behind a null function pointer, under the C
# library's functions, in a static program, and where a compiler leaves out the table of addresses.
. "$(dirname "$0")/common.sh"
echo 'int main(void) { return 0; }' >empty.c
"$SKERRY_BIN/oshcc" empty.c -o empty 2>err || skip "no library here: $(head -1 err)"
[ -x "$SKERRY_BIN/skerry-where" ] || [ -x "$SKERRY_BIN/../libexec/skerry/skerry-where" ] || skip "no skerry-where"

cat >own.c <<'END'
#include <shmem.h>
__attribute__((noinline)) static void inner(volatile char *where) {
    *where = 1; // inner
}
void outer(char *where) {
    inner(where); // outer
    where[1] = 2;
}
void misplaced_put(long *where) {
    shmem_long_p(where, 5, 300); // put
    *where = 6;
}
END
cat >crash.c <<'END'
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
extern void outer(char *where);
extern void misplaced_put(long *where);
static long data[8];
static volatile size_t bytes = 1000;
static void (*volatile nothing)(void);
static int (*volatile no_order)(const void *, const void *);

__attribute__((noinline)) static void clear(char *where) {
    memset(where, 0, bytes); // clear
    data[1]++;
}
__attribute__((noinline)) static void jump(void) {
    nothing(); // jump
    data[2]++;
}
static void act(const char *what) {
    if (strcmp(what, "library") == 0) outer((char *)16); // library
    if (strcmp(what, "put") == 0) misplaced_put(data);
    if (strcmp(what, "clear") == 0) clear((char *)16);
    if (strcmp(what, "putmem") == 0) shmem_putmem(data, (char *)16, bytes, 0); // putmem
    if (strcmp(what, "null") == 0) jump();
    if (strcmp(what, "wild") == 0) nothing = (void (*)(void))(void *)data, jump();
    if (strcmp(what, "order") == 0) qsort(data, 8, 8, no_order); // order
}
int main(int count, char **words) {
    shmem_init();
    if (count == 2) act(words[1]);
    shmem_finalize();
    return 0;
}
END
line_of() { grep -n "// $2" "$1.c" | cut -d: -f1; }

check() { # how, what, the line's end
    run "$oshrun" -n 1 ./crash "$2"
    expect_code 139 "$1: $2"
    expect_line "oshrun: PE 0 (process *) was killed by signal 11 (Segmentation fault: address *) $3; job stopped"
}

check_program() { # how, options of the compiler
    # shellcheck disable=SC2086
    if ! "$SKERRY_BIN/oshcc" $2 -g crash.c -o crash -L. $3 -Wl,-rpath,"$work" 2>err; then
        echo "not built: $1: $(head -3 err)"
        return
    fi
    check "$1" clear "in *, called from clear at crash.c:$(line_of crash clear)"
    check "$1" putmem "in shmem_putmem, called from act at crash.c:$(line_of crash putmem)"
    check "$1" null "in no function, called from jump at crash.c:$(line_of crash jump)"
    check "$1" wild "in no function, called from jump at crash.c:$(line_of crash jump)"
    check "$1" order "in no function, called from act at crash.c:$(line_of crash order)"
}

"$SKERRY_BIN/oshcc" -O2 -g -fPIC -shared own.c -o libown.so || exit 1
check_program "with a library" -O2 -lown
inner="inner at own.c:$(line_of own inner) (libown.so)"
outer="outer at own.c:$(line_of own outer) (libown.so)"
check library library "in $inner, called from $outer"
check library put "in shmem_long_p, called from misplaced_put at own.c:$(line_of own put) (libown.so)"
strip -g libown.so
check "library without lines" library "in inner* (libown.so), called from act at crash.c:$(line_of crash library)"
strip -g crash
check "no lines at all" put "in access_to_missing_pe* (libskerry.so*), called from *"

check_program "not optimised" -O0 own.c
check_program "static" "-O2 -static" own.c
check_program "static, not optimised" "-O0 -static" own.c
check_program "link-time optimised" "-O2 -flto" own.c
SKERRY_CC=clang
export SKERRY_CC
if command -v clang >clang_path; then check_program "clang" -O2 own.c; fi
finish
