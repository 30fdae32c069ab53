# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Where the tools lie: below the user's cache, one folder for a set of versions and a recipe, never in the source tree. A folder
# gets its name only when all is in it, so that one that exists is whole.

cache=${SKERRY_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/skerry}
target=epiphany-elf

# recipe_id FILE: eight digits that change with what the recipe does, but not with comments, the layout, or how progress is shown.
recipe_id() {
    local sum
    sum=$(sed '/^ *#/d; /^declare /d; s/  # .*//' "$1" | tr -s ' \\\n' ' ' | cksum)
    printf '%08x\n' "${sum%% *}"
}

# finished_tools RECIPE: the newest folder that RECIPE made; fails when there is none.
finished_tools() {
    local folder newest=
    for folder in "$cache/$target"-*-"$(recipe_id "$1")"; do
        if [ -d "$folder" ] && { [ -z "$newest" ] || [ "$folder" -nt "$newest" ]; }; then newest=$folder; fi
    done
    [ -n "$newest" ] && echo "$newest"
}
