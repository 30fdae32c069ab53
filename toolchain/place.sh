# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Defines where the tools are installed: in the user's cache, never in the source tree. There is a folder for each
# combination of source versions and recipe. A folder gets its final name only when it is complete. So every folder with
# such a name is complete.

cache=${SKERRY_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/skerry}

# choose_tools CORES: sets $target, the prefix of the tools' names, and $recipe_files, the files with the commands that
# build the tools. Fails if there are no tools for these cores.
choose_tools() {
    case $1 in
    epiphany) target=epiphany-elf recipe_files=("$here/epiphany.sh") ;;
    riscv) target=riscv32-elf recipe_files=("$here/riscv.sh" "$here/epiphany.sh" "$here/gthr.h") ;;
    *) return 1 ;;
    esac
}

# recipe_id FILE...: prints eight hexadecimal digits that identify the commands of the recipe. The digits stay the same
# if only comments, the layout or the numbers for the progress bar of the recipe change.
recipe_id() {
    local file sum
    sum=$(for file; do
        case $file in
        *.sh) sed '/^ *#/d; /^declare /d; s/  # .*//' "$file" ;;
        *) sed -n p "$file" ;;
        esac
    done | tr -s ' \\\n' ' ' | cksum)
    printf '%08x\n' "${sum%% *}"
}

# finished_tools: prints the newest folder of tools that were built with $recipe_files; fails if no folder exists.
finished_tools() {
    local folder newest=
    for folder in "$cache/$target"-*-"$(recipe_id "${recipe_files[@]}")"; do
        if [ -d "$folder" ] && { [ -z "$newest" ] || [ "$folder" -nt "$newest" ]; }; then newest=$folder; fi
    done
    [ -n "$newest" ] && echo "$newest"
}
