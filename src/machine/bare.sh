# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links programs for cores without an operating system. The oshcc.sh of such a machine reads this file with
# step=compile and step=link, after it has put its own options in front of the arguments ($@). For step=link it sets
# linker_script, and link_options, a list of words without spaces in them. The folder $library_folder contains the
# library.
# shellcheck shell=sh disable=SC2154 # oshcc sets the variables

case $step in
compile)
    # Each function and object gets a section of its own, so that the linker leaves out what is not used.
    set -- -ffunction-sections -fdata-sections "$@"
    ;;
link)
    # The linker script needs numbers of the machine, such as its memory sizes. The simulator prints them.
    numbers=$("$here/skerry-sim" --machine "$machine" --linker-symbols) || exit 2
    # shellcheck disable=SC2086 # $numbers and $link_options have several words
    set -- "$@" -nostartfiles -nostdlib -T "$linker_script" $numbers -Wl,--gc-sections $link_options \
        "-L$library_folder" -Wl,--start-group -lskerry -lm -lc -lgcc -Wl,--end-group
    ;;
esac
