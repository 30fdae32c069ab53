# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for cores without an operating system. The oshcc.sh of each such machine reads this file
# with `.`, once with step=compile and once with step=link. Before this, oshcc.sh puts the machine's own options in
# front of the arguments ($@). For step=link it also sets linker_script, and link_options (a list of options, each
# without spaces). $library_folder is the folder of libskerry.a.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
compile)
    # Without -fopenmp the compiler ignores the pragmas, and each core of some machines runs the whole program.
    case "$openmp $*" in true* | *-fopenmp-simd*) ;; *)
        for word; do
            case $word in *.c | *.cc | *.cpp | *.cxx | *.C) ;; *) continue ;; esac
            if grep -q -s -E '^[[:space:]]*#[[:space:]]*(pragma[[:space:]]+omp|include[[:space:]]*[<"]omp\.h)' "$word"; then
                echo "$name: warning: $word uses OpenMP, which has no effect without -fopenmp" >&2
                break
            fi
        done
        ;;
    esac
    # Links newlib's code for floating-point numbers in printf and scanf if a source has a format for such numbers.
    for word; do
        case $word in *.c | *.cc | *.cpp | *.cxx | *.C) ;; *) continue ;; esac
        if grep -q -s -E '"[^"]*%[-+#0]*([0-9]+|\*)?(\.([0-9]+|\*)?)?[lL]?[efgEFG]' "$word"; then
            set -- -include "$machines_folder/float_formats.h" "$@"
            break
        fi
    done
    # Each function and object gets a section of its own. So the linker can leave out unused functions and objects
    # (--gc-sections).
    set -- -ffunction-sections -fdata-sections "$@"
    ;;
link)
    # libskerry.a has the functions of these libraries, and some of -lm, which follows it below. Makefiles name them beside
    # -fopenmp, or instead of it for the linker.
    remaining=$#
    while [ "$remaining" -gt 0 ]; do
        word=$1
        shift
        remaining=$((remaining - 1))
        case $word in -lgomp | -lpthread | -lm) ;; *) set -- "$@" "$word" ;; esac
    done
    # The linker script needs numbers of the machine, such as its memory sizes. The simulator (skerry-sim) prints them
    # as options of the linker.
    numbers=$("$here/skerry-sim" --machine "$machine" --linker-symbols) || exit 2
    # The cores have no pages. With the linker's page size, an unused gap of up to 64 KB would precede each segment.
    # shellcheck disable=SC2086 # $numbers, $link_options and $cxx_link (bare_cxx.sh) have several words
    set -- "$@" -nostartfiles -nostdlib -T "$linker_script" $numbers -Wl,--gc-sections -Wl,-z,max-page-size=8 $link_options \
        "-L$library_folder" -Wl,--start-group -lskerry ${cxx_link:-} -lm -lc -lgcc -Wl,--end-group
    ;;
esac
