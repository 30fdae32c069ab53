# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for cores without an operating system. The oshcc.sh of each such machine reads this file
# with `.`, once with step=compile and once with step=link. Before this, oshcc.sh puts the machine's own options in
# front of the arguments ($@). For step=link it also sets linker_script, and link_options (a list of options, each
# without spaces). $library_folder is the folder of libskerry.a.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
compile)
    # Each function and object gets a section of its own. So the linker can leave out unused functions and objects
    # (--gc-sections).
    set -- -ffunction-sections -fdata-sections "$@"
    ;;
link)
    # The linker script needs numbers of the machine, such as its memory sizes. The simulator (skerry-sim) prints them
    # as options of the linker.
    numbers=$("$here/skerry-sim" --machine "$machine" --linker-symbols) || exit 2
    # shellcheck disable=SC2086 # $numbers and $link_options have several words
    set -- "$@" -nostartfiles -nostdlib -T "$linker_script" $numbers -Wl,--gc-sections $link_options \
        "-L$library_folder" -Wl,--start-group -lskerry -lm -lc -lgcc -Wl,--end-group
    ;;
esac
