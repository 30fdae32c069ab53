#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The C interface of OpenSHMEM 1.6 as a compact table of facts, and its expansion to one line a function.

Each row names a type family and one prototype; TYPE, TYPENAME and SIZE in it are replaced by every member of the family.
    facts.py --prototypes    prints each C function: `prototype;`, then `// deprecated` if the function is
    facts.py --generics      prints each type-generic pattern of C11: `pattern; | type family | C function`
    facts.py --names         prints the function names, one a line; with --pshmem the profiling names
"""

import re
import sys

# The one list of types: TYPENAME and TYPE.
TYPES = {
    "float": "float", "double": "double", "longdouble": "long double",
    "char": "char", "schar": "signed char", "short": "short", "int": "int", "long": "long", "longlong": "long long",
    "uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int", "ulong": "unsigned long",
    "ulonglong": "unsigned long long",
    "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
    "uint8": "uint8_t", "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t",
    "size": "size_t", "ptrdiff": "ptrdiff_t",
    "complexd": "double _Complex", "complexf": "float _Complex",
}
REAL = ["float", "double", "longdouble"]
COMPLEX = ["complexd", "complexf"]
STANDARD_AMO = "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff".split()
INTEGERS_OLD = "short int long longlong".split()

FAMILIES = {
    "none": [""],
    "size": ["8", "16", "32", "64", "128"],
    "size_old": ["32", "64"],
    "rma": [name for name in TYPES if name not in COMPLEX],
    "amo_standard": STANDARD_AMO,
    "amo_extended": ["float", "double"] + STANDARD_AMO,
    "amo_bitwise": "uint ulong ulonglong int32 int64 uint32 uint64".split(),
    "amo_standard_old": "int long longlong".split(),
    "amo_extended_old": "float double int long longlong".split(),
    "wait_short": ["short", "ushort"],
    "wait_old": INTEGERS_OLD,
    # Table of team-based reductions: bitwise for the unsigned and the exact-width types and size_t only.
    "reduce_bitwise": ("uchar ushort uint ulong ulonglong int8 int16 int32 int64 uint8 uint16 uint32 uint64 size").split(),
    "reduce_order": [name for name in TYPES if name not in COMPLEX],
    "reduce_sum": list(TYPES),
    "to_all_bitwise": INTEGERS_OLD,
    "to_all_order": INTEGERS_OLD + REAL,
    "to_all_sum": INTEGERS_OLD + REAL + COMPLEX,
}

CTX, GENERIC, OLD = "ctx", "generic", "deprecated"
ACTIVE_SET = "int PE_start, int logPE_stride, int PE_size, long *pSync"
COPY = "TYPE *dest, const TYPE *source"
COPY_VOID = "void *dest, const void *source"
STRIDES = "ptrdiff_t dst, ptrdiff_t sst"
SIGNAL = "uint64_t *sig_addr, uint64_t signal, int sig_op"
TEAM_CONFIG = "const shmem_team_config_t *"


def plain(*prototypes, words=""):
    """Routines that belong to no family."""
    return [("none", words, prototype) for prototype in prototypes]


def block_rows(verb, suffix, between):
    """The typed, sized and byte forms that every contiguous put and get has."""
    tail = f"size_t nelems, {between}int pe)"
    return [
        ("rma", f"{CTX} {GENERIC}", f"void shmem_TYPENAME_{verb}{suffix}({COPY}, {tail}"),
        ("size", CTX, f"void shmem_{verb}SIZE{suffix}({COPY_VOID}, {tail}"),
        ("none", CTX, f"void shmem_{verb}mem{suffix}({COPY_VOID}, {tail}"),
    ]


def strided_rows(verb, count):
    return [
        ("rma", f"{CTX} {GENERIC}", f"void shmem_TYPENAME_{verb}({COPY}, {STRIDES}, {count}, int pe)"),
        ("size", CTX, f"void shmem_{verb}SIZE({COPY_VOID}, {STRIDES}, {count}, int pe)"),
    ]


def amo_rows(family, name, arguments, returns, old=None, old_family=None):
    rows = [(family, f"{CTX} {GENERIC}", f"{returns} shmem_TYPENAME_atomic_{name}({arguments}int pe)")]
    if old:
        rows.append((old_family, f"{GENERIC} {OLD}", f"{returns} shmem_TYPENAME_{old}({arguments}int pe)"))
    return rows


def amo_nbi_row(family, name, arguments):
    return (family, f"{CTX} {GENERIC}", f"void shmem_TYPENAME_atomic_{name}_nbi(TYPE *fetch, {arguments}int pe)")


def collective_rows(name, arguments):
    """A team collective in its typed and byte forms, and the two sizes that work on an active set."""
    return [
        ("rma", GENERIC, f"int shmem_TYPENAME_{name}(shmem_team_t team, {COPY}, {arguments})"),
        ("none", "", f"int shmem_{name}mem(shmem_team_t team, {COPY_VOID}, {arguments})"),
        ("size_old", OLD, f"void shmem_{name}SIZE({COPY_VOID}, {arguments}, {ACTIVE_SET})"),
    ]


def reduce_rows(name, kind):
    active_set = "int PE_start, int logPE_stride, int PE_size, TYPE *pWrk, long *pSync"
    return [
        (f"reduce_{kind}", GENERIC, f"int shmem_TYPENAME_{name}_reduce(shmem_team_t team, {COPY}, size_t nreduce)"),
        (f"to_all_{kind}", OLD, f"void shmem_TYPENAME_{name}_to_all({COPY}, int nreduce, {active_set})"),
    ]


def wait_rows(verb, returns):
    """The forms over one variable and over arrays; an array is compared with one value or with one value each."""
    one = f"shmem_TYPENAME_{verb}(TYPE *ivar, int cmp, TYPE cmp_value)"
    single = {"wait_until": "void", "test": "int"}[verb]
    rows = [("amo_standard", GENERIC, f"{single} {one}"), ("wait_short", f"{GENERIC} {OLD}", f"{single} {one}")]
    for vector, value in (("", "TYPE cmp_value"), ("_vector", "const TYPE *cmp_values")):
        for which in ("all", "any", "some"):
            indices = "size_t *indices, " if which == "some" else ""
            rows.append(("amo_standard", GENERIC,
                         f"{returns[which]} shmem_TYPENAME_{verb}_{which}{vector}"
                         f"(TYPE *ivars, size_t nelems, {indices}const int *status, int cmp, {value})"))
    return rows


DEST, DEST_VALUE, DEST_COND_VALUE = "TYPE *dest, ", "TYPE *dest, TYPE value, ", "TYPE *dest, TYPE cond, TYPE value, "
SOURCE = "const TYPE *source, "

CHAPTERS = {
    "setup": plain(
        "void shmem_init(void)", "int shmem_my_pe(void)", "int shmem_n_pes(void)", "void shmem_finalize(void)",
        "void shmem_query_initialized(int *initialized)", "void shmem_global_exit(int status)",
        "int shmem_pe_accessible(int pe)", "int shmem_addr_accessible(const void *addr, int pe)",
        "void *shmem_ptr(const void *dest, int pe)",
        "void *shmem_team_ptr(shmem_team_t team, const void *dest, int pe)",
        "void shmem_info_get_version(int *major, int *minor)", "void shmem_info_get_name(char *name)",
        "int shmem_init_thread(int requested, int *provided)", "void shmem_query_thread(int *provided)"),
    "memory": plain(
        "void *shmem_malloc(size_t size)", "void shmem_free(void *ptr)", "void *shmem_realloc(void *ptr, size_t size)",
        "void *shmem_align(size_t alignment, size_t size)", "void *shmem_malloc_with_hints(size_t size, long hints)",
        "void *shmem_calloc(size_t count, size_t size)"),
    "team": plain(
        "int shmem_team_my_pe(shmem_team_t team)", "int shmem_team_n_pes(shmem_team_t team)",
        "int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)",
        "int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)",
        "int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size, "
        f"{TEAM_CONFIG}config, long config_mask, shmem_team_t *new_team)",
        f"int shmem_team_split_2d(shmem_team_t parent_team, int xrange, {TEAM_CONFIG}xaxis_config, long xaxis_mask, "
        f"shmem_team_t *xaxis_team, {TEAM_CONFIG}yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team)",
        "void shmem_team_destroy(shmem_team_t team)"),
    "context": plain(
        "int shmem_ctx_create(long options, shmem_ctx_t *ctx)",
        "int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx)",
        "void shmem_ctx_destroy(shmem_ctx_t ctx)", "int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)"),
    "rma":
        block_rows("put", "", "")
        + [("rma", f"{CTX} {GENERIC}", "void shmem_TYPENAME_p(TYPE *dest, TYPE value, int pe)")]
        + strided_rows("iput", "size_t nelems") + strided_rows("ibput", "size_t bsize, size_t nblocks")
        + block_rows("get", "", "")
        + [("rma", f"{CTX} {GENERIC}", "TYPE shmem_TYPENAME_g(const TYPE *source, int pe)")]
        + strided_rows("iget", "size_t nelems") + strided_rows("ibget", "size_t bsize, size_t nblocks")
        + block_rows("put", "_nbi", "") + block_rows("get", "_nbi", ""),
    "amo":
        amo_rows("amo_extended", "fetch", SOURCE, "TYPE", "fetch", "amo_extended_old")
        + amo_rows("amo_extended", "set", DEST_VALUE, "void", "set", "amo_extended_old")
        + amo_rows("amo_standard", "compare_swap", DEST_COND_VALUE, "TYPE", "cswap", "amo_standard_old")
        + amo_rows("amo_extended", "swap", DEST_VALUE, "TYPE", "swap", "amo_extended_old")
        + amo_rows("amo_standard", "fetch_inc", DEST, "TYPE", "finc", "amo_standard_old")
        + amo_rows("amo_standard", "inc", DEST, "void", "inc", "amo_standard_old")
        + amo_rows("amo_standard", "fetch_add", DEST_VALUE, "TYPE", "fadd", "amo_standard_old")
        + amo_rows("amo_standard", "add", DEST_VALUE, "void", "add", "amo_standard_old")
        + [row for name in ("and", "or", "xor") for row in
           amo_rows("amo_bitwise", f"fetch_{name}", DEST_VALUE, "TYPE")
           + amo_rows("amo_bitwise", name, DEST_VALUE, "void")]
        + [amo_nbi_row("amo_extended", "fetch", SOURCE),
           amo_nbi_row("amo_standard", "compare_swap", DEST_COND_VALUE),
           amo_nbi_row("amo_extended", "swap", DEST_VALUE),
           amo_nbi_row("amo_standard", "fetch_inc", DEST),
           amo_nbi_row("amo_standard", "fetch_add", DEST_VALUE)]
        + [amo_nbi_row("amo_bitwise", f"fetch_{name}", DEST_VALUE) for name in ("and", "or", "xor")],
    "signal":
        block_rows("put", "_signal", f"{SIGNAL}, ") + block_rows("put", "_signal_nbi", f"{SIGNAL}, ")
        + plain("void shmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)",
                "void shmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)", words=CTX)
        + plain("uint64_t shmem_signal_fetch(const uint64_t *sig_addr)"),
    "session": plain(
        "void shmem_ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, "
        "long config_mask)",
        "void shmem_ctx_session_stop(shmem_ctx_t ctx)"),
    "barrier":
        plain("void shmem_barrier_all(void)", "void shmem_sync_all(void)", "int shmem_team_sync(shmem_team_t team)")
        + plain(f"void shmem_barrier({ACTIVE_SET})", f"void shmem_sync({ACTIVE_SET})", words=OLD),
    "alltoall": collective_rows("alltoall", "size_t nelems") + collective_rows("alltoalls", f"{STRIDES}, size_t nelems"),
    "broadcast": collective_rows("broadcast", "size_t nelems, int PE_root"),
    "collect": collective_rows("collect", "size_t nelems") + collective_rows("fcollect", "size_t nelems"),
    "reduce": [row for name, kind in (("and", "bitwise"), ("or", "bitwise"), ("xor", "bitwise"), ("max", "order"),
                                      ("min", "order"), ("sum", "sum"), ("prod", "sum"))
               for row in reduce_rows(name, kind)],
    "scan": [("reduce_sum", GENERIC, f"int shmem_TYPENAME_sum_{name}(shmem_team_t team, {COPY}, size_t nelems)")
             for name in ("inscan", "exscan")],
    "wait":
        wait_rows("wait_until", {"all": "void", "any": "size_t", "some": "size_t"})
        + plain("void shmem_wait_until(long *ivar, int cmp, long cmp_value)", "void shmem_wait(long *ivar, long cmp_value)",
                words=OLD)
        + [("wait_old", OLD, "void shmem_TYPENAME_wait(TYPE *ivar, TYPE cmp_value)")]
        + wait_rows("test", {"all": "int", "any": "size_t", "some": "size_t"})
        + plain("uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value)"),
    "fence":
        plain("void shmem_fence(void)", "void shmem_quiet(void)",
              "void shmem_pe_quiet(const int *target_pes, size_t npes)", words=CTX),
    "lock": plain("void shmem_clear_lock(long *lock)", "void shmem_set_lock(long *lock)", "int shmem_test_lock(long *lock)"),
    "profiling": plain("void shmem_pcontrol(int level, ...)"),
    "legacy": plain(
        "void start_pes(int npes)", "int _my_pe(void)", "int _num_pes(void)", "void *shmalloc(size_t size)",
        "void shfree(void *ptr)", "void *shrealloc(void *ptr, size_t size)",
        "void *shmemalign(size_t alignment, size_t size)", words=OLD),
}

# Generic names whose C function is not found by leaving TYPENAME out.
EXTRA_GENERICS = {
    "signal": ["void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe); | none"
               " | shmem_ctx_signal_add",
               "void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe); | none"
               " | shmem_ctx_signal_set"],
    "barrier": ["int shmem_sync(shmem_team_t team); | none | shmem_team_sync"],
}


def with_ctx(prototype):
    """shmem_x(args) becomes shmem_ctx_x(shmem_ctx_t ctx, args)."""
    prototype = prototype.replace("shmem_", "shmem_ctx_", 1).replace("(", "(shmem_ctx_t ctx, ", 1)
    return prototype.replace("ctx, void)", "ctx)")


def variants(words, prototype):
    return [prototype, with_ctx(prototype)] if CTX in words.split() else [prototype]


def substitute(prototype, member):
    prototype = prototype.replace("TYPENAME", member).replace("SIZE", member)
    return re.sub(r"\bTYPE\b", TYPES.get(member, ""), prototype)


def functions():
    """Yields (chapter, prototype, deprecated) for every C function."""
    for chapter, rows in CHAPTERS.items():
        for family, words, prototype in rows:
            for variant in variants(words, prototype):
                for member in FAMILIES[family]:
                    yield chapter, substitute(variant, member), OLD in words.split()


def prototypes_text():
    lines = ["# OpenSHMEM 1.6, every C function."]
    seen = None
    for chapter, prototype, deprecated in functions():
        if chapter != seen:
            lines.append(f"# chapter: {chapter}")
            seen = chapter
        lines.append(f"{prototype};" + (" // deprecated" if deprecated else ""))
    return "\n".join(lines) + "\n"


def generics_text():
    lines = ["# OpenSHMEM 1.6, every C11 type-generic pattern.",
             "# pattern; | type family | C function that it stands for [| deprecated]"]
    used = {family for rows in CHAPTERS.values() for family, words, _ in rows if GENERIC in words.split()}
    for family, members in FAMILIES.items():
        if family in used:
            lines.append(f"# family {family}: " + ", ".join(f"{name} = {TYPES[name]}" for name in members))
    for chapter, rows in CHAPTERS.items():
        body = []
        for family, words, prototype in rows:
            if GENERIC not in words.split():
                continue
            for variant in variants(words, prototype):
                function = re.search(r"(\w+)\(", variant).group(1)
                pattern = re.sub(r"\w+\(", re.sub(r"(ctx_)?TYPENAME_", "", function) + "(", variant, count=1)
                body.append(f"{pattern}; | {family} | {function}" + (" | deprecated" if OLD in words.split() else ""))
        body += EXTRA_GENERICS.get(chapter, [])
        if body:
            lines += [f"# chapter: {chapter}"] + body
    return "\n".join(lines) + "\n"


def main(arguments):
    names = [re.search(r"(\w+)\(", prototype).group(1) for _, prototype, _ in functions()]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit("facts.py: defined twice: " + " ".join(twice))
    if "--names" in arguments:
        prefix = "p" if "--pshmem" in arguments else ""
        print("\n".join(prefix + name for name in names if not prefix or name.startswith("shmem_")))
    elif arguments == ["--prototypes"]:
        print(prototypes_text(), end="")
    elif arguments == ["--generics"]:
        print(generics_text(), end="")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
