# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Defines how the tools for RISC-V cores are made. Compiler, assembler and linker are the distribution's packages
# (gcc-riscv64-unknown-elf, binutils-riscv64-unknown-elf). These packages have no libraries for C and C++, so this recipe
# builds newlib and libstdc++. The programs riscv32-elf-* call the distribution's programs; riscv32-elf-gcc and
# riscv32-elf-g++ add the options for the kind of core, and the folders of the libraries.
. "$here/epiphany.sh"  # how sources are unpacked and configured

components="newlib gcc"
optional_component=gcc  # without it the tools compile C only
stages="fetch programs newlib libstdcxx try"
declare -i space_needed=600  # MB
declare -A seconds_of=([fetch]=13 [programs]=1 [newlib]=90 [libstdcxx]=60 [try]=1)
declare -A files_of=([fetch]=1 [programs]=1 [newlib]=1031 [libstdcxx]=390 [try]=1)

distribution=riscv64-unknown-elf
compiler_version=$($distribution-gcc -dumpversion 2>/dev/null || true)
gcc_tried=${compiler_version%%.*}  # libstdc++ comes from the sources of the same major version
gcc_untried=no
core="-march=rv32imafdc -mabi=ilp32d"

# -U__OPTIMIZE_SIZE__: newlib's memcpy and similar functions copy whole words. With -Os alone they would copy bytes.
target_flags="-Os -g0 -ffunction-sections -fdata-sections -U__OPTIMIZE_SIZE__"

# The core has no unaligned accesses. Thread-local variables are at fixed offsets from the thread pointer.
cxx_flags="-Os -g0 -ffunction-sections -fdata-sections -mstrict-align -ftls-model=local-exec"

needs() {
    local command missing=
    for command in cc make xz $distribution-gcc $distribution-as; do
        command -v "$command" >/dev/null || missing+=" $command"
    done
    [ -z "$missing" ] || fail "missing here:$missing; scripts/setup chip installs what is needed"
}

# Makes the programs. $0 in the compiler's script is its own path, so the tools can be moved. The compiler must find its
# own headers before newlib's (-idirafter), because newlib has another stdatomic.h.
stage_programs() {
    local program
    mkdir -p "$tools/bin"
    for program in ar as ld nm objcopy objdump ranlib readelf size strip; do
        printf '#!/bin/sh\nexec %s-%s "$@"\n' "$distribution" "$program" >"$tools/bin/$target-$program"
    done
    cat >"$tools/bin/$target-gcc" <<S
#!/bin/sh
folder=\$(dirname "\$(readlink -f "\$0")")/../$target
exec $distribution-gcc $core -idirafter "\$folder/include" -L"\$folder/lib" "\$@"
S
    chmod 755 "$tools/bin/$target"-*
}

# mend_printf FOLDER: makes the small printf in newlib's folder stdio print integers of all sizes. Without this it knows
# only the sizes h and l, and prints "ld" for %lld. The digits of a number of 64 bits are found by divisions of 32 bits,
# 16 bits at a time, because libgcc's divisions of 64 bits are larger than all the rest of this file.
mend_printf() {
    awk '
        /^#define quad_t long$/ { $0 = $0 " long"; mended++ }
        /^#define u_quad_t unsigned long$/ { $0 = $0 " long"; mended++ }
        /^#define QUADINT/ { $0 = "#define QUADINT 0x200"; mended++ }
        /^# define CHARINT/ { $0 = "# define CHARINT 0x800"; mended++ }
        /^#define[ \t]*SARG\(flags\)/ { print; print "\t(flags&QUADINT ? GET_ARG (N, (*ap), quad_t) : \\"; mended++; next }
        /^#define[ \t]*UARG\(flags\)/ { print; print "\t(flags&QUADINT ? GET_ARG (N, (*ap), u_quad_t) : \\"; mended++; next }
        /GET_ARG \(N, \(\*ap\), (int|u_int)\)\)$/ { $0 = $0 ")"; mended++ }
        { print }
        END { exit mended != 8 }' "$1/nano-vfprintf_local.h" >mended.h || fail "newlib describes printf in another way: $1"
    mv mended.h "$1/nano-vfprintf_local.h"
    awk '
        /^_printf_i \(struct _reent/ { is_number = 1 }
        is_number && sub(/\(long\) _uquad < 0/, "(quad_t) _uquad < 0") { mended++ }
        is_number && sub(/xdigs\[_uquad % base\]/, "xdigs[take_digit (\\&_uquad, (unsigned) base)]") { mended++ }
        is_number && /^[ \t]*_uquad \/= base;/ { mended++; next }
        { lines[NR] = $0 }
        /^int$/ { last_int = NR }
        /^_printf_i \(struct _reent/ { before = last_int }
        END {
            for (i = 1; i <= NR; i++) {
                if (i == before) {
                    print "static unsigned take_digit (u_quad_t *number, unsigned base)"
                    print "{"
                    print "  const unsigned high = (unsigned) (*number >> 32), low = (unsigned) *number;"
                    print "  if (high == 0)"
                    print "    {"
                    print "      *number = low / base;"
                    print "      return low % base;"
                    print "    }"
                    print "  const unsigned middle = high % base << 16 | low >> 16, end = middle % base << 16 | (low & 0xffff);"
                    print "  *number = (u_quad_t) (high / base) << 32 | (u_quad_t) (middle / base) << 16 | end / base;"
                    print "  return end % base;"
                    print "}"
                }
                if (i in lines) print lines[i]
            }
            exit mended != 3 || !before
        }' "$1/nano-vfprintf_i.c" >mended.c || fail "newlib prints numbers in another way: $1"
    mv mended.c "$1/nano-vfprintf_i.c"
    awk '
        { print }
        /prt_data.flags \|= \(SHORTINT << \(cp - flag_chars\)\);/ { shifting = 1 }
        shifting && /^[ \t]*fmt\+\+;/ {
            print "\t  if (*fmt == *cp && *fmt != \047L\047)"
            print "\t    prt_data.flags ^= *fmt++ == \047h\047 ? SHORTINT | CHARINT : LONGINT | QUADINT;"
            getline
            print
            print "      else if (*fmt == \047j\047)"
            print "\t{"
            print "\t  prt_data.flags |= QUADINT;"
            print "\t  fmt++;"
            print "\t}"
            print "      else if (*fmt == \047z\047 || *fmt == \047t\047)"
            print "\tfmt++;"
            shifting = 0
            mended++
        }
        END { exit mended != 1 }' "$1/nano-vfprintf.c" >mended.c || fail "newlib reads formats in another way: $1"
    mv mended.c "$1/nano-vfprintf.c"
}

# mend_errno FOLDER: makes newlib store every error number at the address that __errno returns. Without this many
# functions store it in a struct that all threads share. A library of threads can then define __errno, so that each
# thread has an errno of its own.
mend_errno() {
    local file address='(*({ extern int *__errno (void); __errno (); }))'
    grep -rlE --include='*.c' '[a-zA-Z_]+(\))?->_errno' "$1" | while read -r file; do
        case $file in */errno/errno.c) continue ;; esac
        sed -E -i "s/(\\([a-z_]+\\)|[A-Za-z_]+)->_errno\\>/$address/g" "$file"
    done
}

# mend_decimals FOLDER: makes newlib keep the memory of its conversions between decimal and binary numbers at the address
# that __mprec returns. Without this all threads share that memory, so a thread that prints a floating-point number can
# destroy the number of another one. A library of threads can define __mprec, so that each thread has memory of its own.
mend_decimals() {
    awk '
        !mended && /^#define _REENT_INIT_MP\(/ {
            print "extern struct _mprec **__mprec (void);"
            mended++
        }
        mended == 1 && /^#define _REENT_CHECK_MP\(/ {
            print "#define _REENT_CHECK_MP(var) do { \\"
            print "  struct _mprec **_m = __mprec (); \\"
            print "  if (*_m == _NULL) { \\"
            print "    *_m = (struct _mprec *) __builtin_calloc (1, sizeof **_m); \\"
            print "    __reent_assert (*_m); \\"
            print "  } \\"
            print "} while (0)"
            getline
            mended++
            next
        }
        mended < 6 && sub(/\(\(ptr\)->_mp->/, "((*__mprec ())->") { mended++ }
        { print }
        END { exit mended != 6 }' "$1/include/sys/reent.h" >mended.h || fail "newlib keeps decimal numbers in another way: $1"
    mv mended.h "$1/include/sys/reent.h"
    cat >>"$1/errno/errno.c" <<'C'

struct _mprec **
__mprec (void)
{
  return &_REENT->_mp;
}
C
}

# Builds newlib, and leaves out most of the parts that newlib's configuration can leave out. printf prints floating
# point only if a program is linked with -u _printf_float. Several threads of a program can call newlib, so newlib takes
# locks by the functions __retarget_lock_*, which a library of threads defines. Without such a library these functions
# do nothing.
stage_newlib() {
    configured newlib --disable-multilib --disable-libgloss --disable-newlib-supplied-syscalls \
        --enable-newlib-retargetable-locking --enable-newlib-nano-malloc --enable-newlib-nano-formatted-io \
        --enable-newlib-reent-small --enable-newlib-global-atexit --enable-lite-exit \
        --disable-newlib-fvwrite-in-streamio --disable-newlib-fseek-optimization --disable-newlib-unbuf-stream-opt \
        --disable-newlib-wide-orient CFLAGS_FOR_TARGET="$target_flags"
    if [ ! -e ../../source/newlib/mended ]; then
        mend_printf ../../source/newlib/newlib/libc/stdio
        mend_errno ../../source/newlib/newlib
        mend_decimals ../../source/newlib/newlib/libc
        touch ../../source/newlib/mended
    fi
    make -j "$jobs" MAKEINFO=true all-target-newlib
    make MAKEINFO=true install-target-newlib
    discard newlib
}

# define NAME...: defines names in config.h, the result of libstdc++'s configuration.
define() {
    local name
    for name; do
        sed -i "s,^/\\* #undef $name \\*/,#define $name 1," config.h
        grep -q "^#define $name 1" config.h || fail "libstdc++ is configured in another way: $name"
    done
}

# Unpacks and configures libstdc++. Its configuration cannot link programs for these cores, so it does not find out
# everything (`define`). It takes the threads from gthr-single.h, because the compiler is built without threads; gthr.h
# replaces this file. Its atomic additions would take a lock, because the cores have no atomic instructions for 1 byte,
# but there are such instructions for words.
configure_libstdcxx() {
    local sources=../../source/gcc cpu=libstdc++-v3/config/cpu/generic name
    rm -rf source/gcc build/gcc
    unpack gcc --anchored --wildcards --no-wildcards-match-slash --exclude='*/libstdc++-v3/testsuite/*/*' \
        '*/libstdc++-v3' '*/libgcc' '*/libiberty' '*/include' '*/config*' '*/ltmain.sh' '*/install-sh' '*/missing' \
        '*/mkinstalldirs' '*/depcomp' '*/gcc/BASE-VER' '*/gcc/DATESTAMP'
    mkdir -p build/gcc
    cd build/gcc
    for name in single default; do cp "$here/gthr.h" "$sources/libgcc/gthr-$name.h"; done
    cp "$sources/$cpu/atomicity_builtins/atomicity.h" "$sources/$cpu/atomicity_mutex/atomicity.h"
    "$sources/libstdc++-v3/configure" --build="$("$sources/config.guess")" --host="$target" --target="$target" \
        --prefix="$tools" --with-gxx-include-dir="$tools/$target/include/c++" --disable-multilib --disable-nls \
        --with-newlib --disable-libstdcxx-pch --disable-libstdcxx-filesystem-ts --disable-libstdcxx-backtrace \
        --with-libstdcxx-lock-policy=atomic ac_cv_func_fcntl=no ac_cv_func_getexecname=no \
        CFLAGS="$cxx_flags" CXXFLAGS="$cxx_flags"
    define HAVE_TLS _GLIBCXX_USE_CLOCK_MONOTONIC _GLIBCXX_USE_CLOCK_REALTIME _GLIBCXX_USE_NANOSLEEP \
        _GLIBCXX_USE_SCHED_YIELD _GLIBCXX_HAS_GTHREADS
    touch configured
    cd ../..
}

# Makes riscv32-elf-g++, and builds libstdc++ with it. The name g++ exists only in tools that have this library. Like g++ on
# Linux, riscv32-elf-g++ defines _GNU_SOURCE. The other macros make newlib declare functions of Skerry's library.
stage_libstdcxx() {
    if ! compgen -G "tarballs/gcc-${compiler_version%%.*}.*" >/dev/null; then
        echo "no sources of GCC ${compiler_version%%.*}, so there is no C++ library"
        return
    fi
    cat >"$tools/bin/$target-g++" <<S
#!/bin/sh
folder=\$(dirname "\$(readlink -f "\$0")")/../$target
exec $distribution-g++ $core -D_GNU_SOURCE=1 -D_POSIX_TIMERS=1 -D_POSIX_MONOTONIC_CLOCK=1 -D_POSIX_PRIORITY_SCHEDULING=1 \\
    -nostdinc++ -isystem "\$folder/include/c++" -isystem "\$folder/include/c++/$target" \\
    -isystem "\$folder/include/c++/backward" -idirafter "\$folder/include" -L"\$folder/lib" "\$@"
S
    chmod 755 "$tools/bin/$target-g++"
    PATH=$tools/bin:$PATH
    if [ "$in_order" = no ] || [ ! -e build/gcc/configured ]; then configure_libstdcxx; fi
    cd build/gcc
    make -j "$jobs" MAKEINFO=true
    make MAKEINFO=true install
    mv "$tools"/lib/*/*/lib*++.a "$tools/$target/lib"
    rm -r "$tools/lib" "$tools/share"
    discard gcc
}

# Tries the tools: compiles and links code that must use the core's multiply-add and its atomic addition.
stage_try() {
    cat >try.c <<'C'
#include <math.h>
#include <stdio.h>
float dot(const float *restrict a, const float *restrict b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
int count(int *word) {
    return __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
}
int main(void) {
    float a[2] = {3, 4};
    return (int)sqrtf(dot(a, a, count(&(int){2}))) + (int)sqrt(a[0]);
}
C
    "$target-gcc" -O2 -Wall -Werror -nostartfiles try.c -Wl,-e,main -nostdlib -lm -lc -lgcc -o try.elf
    "$target-objdump" -d --no-show-raw-insn try.elf >try.s
    for instruction in fmadd.s amoadd.w; do
        grep -q "[[:space:]]$instruction" try.s || fail "no $instruction in the code of try.c"
    done
    "$target-size" try.elf
    if [ ! -x "$tools/bin/$target-g++" ]; then return; fi
    cat >try.cpp <<'C'
#include <chrono>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
std::mutex mutex;
int main(int count, char **) {
    std::vector<int> numbers(count);
    const std::lock_guard<std::mutex> lock(mutex);
    try {
        std::cout << numbers.at(3) << std::chrono::steady_clock::now().time_since_epoch().count() << '\n';
    } catch (const std::out_of_range &error) {
        std::cout << error.what() << '\n';
    }
    return 0;
}
C
    for version in 11 20; do "$target-g++" -std=c++$version -O2 -Wall -Werror -c try.cpp; done
    "$target-nm" -C "$tools/$target/lib/libstdc++.a" >try.names
    for name in std::cout 'std::thread::join()' __cxa_throw; do
        grep -q " [BDT] $name$" try.names || fail "no $name in libstdc++"
    done
}
