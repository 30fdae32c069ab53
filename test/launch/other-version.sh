#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PEs of one node that use different versions of the library end the job with one line that names both versions. The other
# version is a copy in which the hash of the sources is changed: a shared library, or a program that is linked statically.
. "$(dirname "$0")/common.sh"
build=$("$SKERRY_BIN/skerry" info | sed -n 's/^build  *\([^ ]*\) .*/\1/p')
sources=$(echo "$build" | grep -o -- '-[0-9a-f]\{8\}')
[ -n "$sources" ] || fail "skerry info prints no build: $build"
other=$(echo "$build" | sed "s/$sources/-00000000/")
export LC_ALL=C

cat >pe.c <<'END'
#include <shmem.h>
#include <stdio.h>
int main(void) {
    shmem_init();
    shmem_barrier_all();
    printf("%d of %d\n", shmem_my_pe(), shmem_n_pes());
    shmem_finalize();
}
END
expect_refused() { # FILE COMMAND...
    file=$1
    shift
    run "$oshrun" -n 4 "$@"
    expect_code 1 "$file"
    grep -Eq "^skerry: PE [0-3]: [^ ]*$file.* has version ($build|$other) of Skerry, and PE [0-3] on this node uses version ($build|$other); all PEs must use the same version\$" err &&
        grep -q "$build" err && grep -q "$other" err || fail "$file: $(head -c 500 err)"
    [ "$(wc -l <err)" -eq 1 ] || fail "$file: more than one line: $(head -c 700 err)"
}
expect_works() { # COMMAND...
    run "$oshrun" -n 4 "$@"
    expect_code 0 "$*"
    expect_silence
}

# A shared library, which a script chooses for PE 2.
library=$(readlink -f "$SKERRY_BIN/../lib/libskerry.so")
if [ -f "$library" ]; then
    "$SKERRY_BIN/oshcc" -O1 pe.c -o pe || exit 1
    mkdir changed
    sed "s/$build/$other/g" "$library" >"changed/libskerry.so.$(echo "${library##*.so.}" | cut -d. -f1-2)"
    ! cmp -s changed/* "$library" || fail "the library has no text $build"
    cat >choose <<'END'
#!/bin/sh
[ "$SKERRY_PE" != 2 ] || export LD_LIBRARY_PATH="$PWD/changed"
exec ./pe
END
    chmod +x choose
    expect_refused libskerry.so ./choose
    expect_works ./pe
    LD_LIBRARY_PATH=$PWD/changed expect_works ./pe # all PEs have the same version
fi

# Programs that are linked statically.
if "$SKERRY_BIN/oshcc" -static -O1 pe.c -o static 2>log; then
    sed "s/$build/$other/g" static >other
    chmod +x other
    ! cmp -s static other || fail "the program has no text $build"
    printf '#!/bin/sh\n[ "$SKERRY_PE" != 1 ] || exec ./other\nexec ./static\n' >choose
    chmod +x choose
    expect_refused '' ./choose
    expect_works ./other
fi
finish
