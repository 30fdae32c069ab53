# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Shows the progress of the build. Each stage counts for the seconds that it usually takes. The progress within a stage
# is the share of its files that are compiled, counted in the log of the stage. On a terminal the progress is a bar.
# Otherwise it is a line at the beginning of each stage and every two minutes.

bar_width=30
line_every=120  # seconds

# start_progress: sets the counters. The stages that an earlier run has finished count as progress. But the estimate of
# the remaining time uses only the speed of this run.
start_progress() {
    local stage
    total=0 past=0 began=$SECONDS last_line=$SECONDS
    for stage in $stages; do
        total=$((total + ${seconds_of[$stage]}))
        if [ -e "$work/done/$stage" ]; then past=$((past + ${seconds_of[$stage]})); fi
    done
    past_at_start=$past
}

# time_left DONE: prints an estimate such as " · 4 min left". Prints nothing in the first 5 s, or before this run has
# done a twentieth of the whole work. DONE is the work that is done, as the seconds that it usually takes.
time_left() {
    local fresh=$(($1 - past_at_start)) elapsed=$((SECONDS - began)) left
    if [ $((fresh * 20)) -lt "$total" ] || [ "$elapsed" -lt 5 ]; then return; fi
    left=$((elapsed * (total - $1) / fresh))
    if [ "$left" -ge 90 ]; then echo " · $(((left + 30) / 60)) min left"; else echo " · $left s left"; fi
}

# show_progress STAGE LOG: prints the bar or the line while stage STAGE runs and writes to the file LOG.
show_progress() {
    local files share seconds=${seconds_of[$1]} reached percent filled bar
    files=$(grep -c -e ' -c ' "$2" || true)
    share=$((seconds * files / ${files_of[$1]}))
    reached=$((past + (share < seconds ? share : seconds)))
    percent=$((reached * 100 / total))
    if [ -t 2 ]; then
        filled=$((reached * bar_width / total))
        printf -v bar '%*s' "$filled" ''
        printf '\r%s: [%-*s] %3d %% · %s%s\033[K' "$target" "$bar_width" "${bar// /#}" "$percent" "$1" \
            "$(time_left "$reached")" >&2
    elif [ $((SECONDS - last_line)) -ge "$line_every" ]; then
        last_line=$SECONDS
        echo "$target: $percent % · $1$(time_left "$reached")" >&2
    fi
}

# begin_stage STAGE prints a line if there is no bar; end_stage STAGE counts the stage as done.
begin_stage() {
    [ -t 2 ] || echo "$target: $((past * 100 / total)) % · $1" >&2
}
end_stage() {
    past=$((past + ${seconds_of[$1]}))
}

# say TEXT: prints a line. On a terminal, erases the bar first.
say() {
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
    echo "toolchain: $*" >&2
}
