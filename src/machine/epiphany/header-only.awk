# SPDX-License-Identifier: BSD-3-Clause
# Writes the file that `oshcc --header-only` includes before a program. The written file includes the library's
# sources and headers. This script gets their paths, relative to src/, as its arguments. A source's own names and
# macros must not clash with those of another source or of the program. Therefore, before the written file includes a
# source, it defines a macro for each of the source's own names, which replaces the name by a longer one. After the
# source, it undefines these macros. The macros for names that the headers define stay defined from the first source
# to the last.

# Returns the name that a line beginning with "static" declares.
function declared(line) {
    sub(/^static +/, "", line)
    gsub(/__attribute__\(\([a-z_]*\)\) */, "", line)
    if (!match(line, /[A-Za-z_][A-Za-z_0-9]*( =|[(;[])/)) return ""
    line = substr(line, RSTART, RLENGTH)
    sub(/[^A-Za-z_0-9]*$/, "", line)
    return line
}

function word(line, number,    words) {
    split(line, words, /[ (]/)
    return words[number]
}

# Records a name of the file that is being read. `kind` is r for a name that a longer name replaces, and m for a macro.
# A macro keeps its name and is undefined after the file.
function remember(name, kind) {
    if (name == "" || tolower(name) ~ /^skerry/ || (name in of_headers)) return
    if (is_header) of_headers[name] = 1
    names[FILENAME] = names[FILENAME] " " kind ":" name
}

function prefix(file) {
    sub(/^[a-z]*\//, "", file)
    sub(/\.[ch]$/, "", file)
    gsub(/[^a-z0-9]/, "_", file)
    return "skerry_" file "_"
}

function print_names(file, begins,    all, count, i, kind, name) {
    count = split(names[file], all, " ")
    for (i = 1; i <= count; i++) {
        kind = substr(all[i], 1, 1)
        name = substr(all[i], 3)
        if (!begins) print "#undef " name
        else if (kind == "r") print "#define " name " " prefix(file) name
    }
}

FNR == 1 {
    is_header = FILENAME ~ /\.h$/
    if (is_header) headers[++header_count] = FILENAME
    else sources[++source_count] = FILENAME
}
/^static / { remember(declared($0), "r") }
/^\} [a-z_]+;/ { remember(substr(word($0, 2), 1, length(word($0, 2)) - 1), "r") } # static struct { ... } name;
/^(struct|enum|union) [a-z_]+ \{/ { remember(word($0, 2), "r") }
/^#define / { remember(word($0, 2), "m") }

END {
    print "// Made by header-only.awk."
    print "#ifndef __ASSEMBLER__"
    print "#pragma GCC system_header"
    print "#define SKERRY_HEADER_ONLY"
    # The GCC for Epiphany cannot compile all of the library's sources without optimisation.
    print "#pragma GCC push_options"
    print "#ifndef __OPTIMIZE__"
    print "#pragma GCC optimize(\"Os\")"
    print "#endif"
    for (i = 1; i <= header_count; i++) print_names(headers[i], 1)
    for (i = 1; i <= source_count; i++) {
        print_names(sources[i], 1)
        print "#include <skerry/" sources[i] ">"
        print_names(sources[i], 0)
        print "#undef SKERRY_READING_SYMBOLS"
    }
    for (i = 1; i <= header_count; i++) print_names(headers[i], 0)
    print "#pragma GCC pop_options"
    print "#endif"
}
