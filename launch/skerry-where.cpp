// SPDX-License-Identifier: BSD-3-Clause
// Implements the program skerry-where, which finds the places in the source for addresses of code:
//     skerry-where MODULE ADDRESS... [MODULE ADDRESS...]
// MODULE is an executable or a shared object. An ADDRESS (0x...) is an address in the module's file, not the run-time
// address. Each printed line is one place, with four fields separated by tabs: module, address, function, file:line. An
// unknown field is empty. If calls were inlined at an address, each function has a line of its own, the innermost
// first.
#include <cstdlib>
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Place {
    std::string function, line;
};

std::string demangle(const char *name) {
    int status = 0;
    char *plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    const std::string text = status == 0 ? plain : name;
    std::free(plain);
    return text;
}

std::string function_name(Dwarf_Die *function) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) != nullptr)
        if (const char *name = dwarf_formstring(&attribute)) return demangle(name);
    const char *name = dwarf_diename(function);
    return name != nullptr ? name : "";
}

// Returns the file and line of a call that the compiler has inlined, or an empty text if they are not known.
std::string call_line(Dwarf_Die *unit, Dwarf_Die *inlined) {
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0;
    Dwarf_Word line = 0;
    Dwarf_Files *files = nullptr;
    size_t count = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 ||
        dwarf_getsrcfiles(unit, &files, &count) != 0)
        return {};
    const char *name = dwarf_filesrc(files, file, nullptr, nullptr);
    return name != nullptr ? fmt::format("{}:{}", name, line) : std::string{};
}

std::string address_line(Dwarf_Die *unit, Dwarf_Addr address) {
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    int number = 0;
    const char *file = line != nullptr ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
    return file != nullptr && dwarf_lineno(line, &number) == 0 ? fmt::format("{}:{}", file, number) : std::string{};
}

// Collects the functions that contain an address, innermost first. Does not use dwarf_getscopes, which fails if the
// linker has put functions of several compilation units into one unit.
void collect_functions(Dwarf_Die *parent, Dwarf_Addr address, std::vector<Dwarf_Die> &functions) {
    Dwarf_Die child;
    for (int next = dwarf_child(parent, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
        const int tag = dwarf_tag(&child);
        const bool holds_functions =
            tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_module;
        if (!holds_functions && dwarf_haspc(&child, address) <= 0) continue;
        collect_functions(&child, address, functions);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) functions.push_back(child);
        if (!functions.empty()) return;
    }
}

// One executable or shared object and its debug information, which can lie in another file.
class Module {
  public:
    explicit Module(const std::string &path) : session_(dwfl_begin(&callbacks)) {
        if (session_ == nullptr) return;
        dwfl_report_begin(session_);
        module_ = dwfl_report_offline(session_, path.c_str(), path.c_str(), -1);
        dwfl_report_end(session_, nullptr, nullptr);
        if (module_ != nullptr && dwfl_module_getelf(module_, &bias_) == nullptr) module_ = nullptr;
    }
    ~Module() {
        dwfl_end(session_);
    }
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;

    std::vector<Place> find(Dwarf_Addr file_address) const {
        if (module_ == nullptr) return {Place{}};
        const Dwarf_Addr address = file_address + bias_;
        std::vector<Place> places = find_scopes(address);
        if (places.empty()) places.emplace_back();
        if (places.back().function.empty()) places.back().function = find_symbol(address);
        return places;
    }

  private:
    std::string find_symbol(Dwarf_Addr address) const {
        GElf_Off offset = 0;
        GElf_Sym symbol;
        const char *name = dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr);
        if (name == nullptr) return {};
        return offset > 0 ? fmt::format("{}+{:#x}", demangle(name), offset) : demangle(name);
    }

    // Returns the compilation unit that contains an address. Some files have no table of units by address (clang writes
    // none). Then this function searches all units.
    Dwarf_Die *find_unit(Dwarf_Addr address, Dwarf_Addr *unit_bias) const {
        if (Dwarf_Die *unit = dwfl_module_addrdie(module_, address, unit_bias)) return unit;
        Dwarf_Die *unit = nullptr;
        while ((unit = dwfl_module_nextcu(module_, unit, unit_bias)) != nullptr)
            if (dwarf_haspc(unit, address - *unit_bias) > 0) return unit;
        return nullptr;
    }

    // Returns the functions inlined at an address, innermost first, and then the function that contains the address. If
    // no function is known, returns only the file and line.
    std::vector<Place> find_scopes(Dwarf_Addr address) const {
        Dwarf_Addr unit_bias = 0;
        std::vector<Place> places;
        Dwarf_Die *unit = find_unit(address, &unit_bias);
        if (unit == nullptr) return places;
        std::vector<Dwarf_Die> functions;
        collect_functions(unit, address - unit_bias, functions);
        std::string line = address_line(unit, address - unit_bias);
        for (Dwarf_Die &function : functions) {
            places.push_back({function_name(&function), line});
            if (dwarf_tag(&function) == DW_TAG_subprogram) break;
            line = call_line(unit, &function);
        }
        if (places.empty()) places.push_back({{}, line});
        return places;
    }

    static constexpr Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = nullptr,
    };

    Dwfl *session_;
    Dwfl_Module *module_ = nullptr;
    Dwarf_Addr bias_ = 0;
};

std::optional<Dwarf_Addr> parse_address(const char *word) {
    char *end = nullptr;
    const Dwarf_Addr address = std::strtoull(word, &end, 16);
    if (!std::string_view(word).starts_with("0x") || *end != '\0') return std::nullopt;
    return address;
}

} // namespace

int main(int count, char **words) {
    unsetenv("DEBUGINFOD_URLS"); // a look-up over the network would delay the crash report
    if (count < 3) {
        fmt::print(stderr, "Usage: skerry-where MODULE 0xADDRESS... [MODULE 0xADDRESS...]\n");
        return 2;
    }
    std::map<std::string, Module> modules;
    std::string path;
    for (int i = 1; i < count; ++i) {
        const auto address = parse_address(words[i]);
        if (!address) {
            path = words[i];
            continue;
        }
        for (const Place &place : modules.try_emplace(path, path).first->second.find(*address))
            fmt::print("{}\t{:#x}\t{}\t{}\n", path, *address, place.function, place.line);
    }
    return 0;
}
