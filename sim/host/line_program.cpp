// SPDX-License-Identifier: BSD-3-Clause
#include "host/line_program.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace skerry::sim {
namespace {

constexpr std::size_t longest_file_name = 4096;
enum StandardOpcode : std::uint8_t {
    extended = 0,
    copy = 1,
    advance_pc = 2,
    advance_line = 3,
    set_file = 4,
    const_add_pc = 8,
    fixed_advance_pc = 9,
};
enum ExtendedOpcode : std::uint8_t { end_sequence = 1, set_address = 2 };
enum Content : std::uint8_t { content_path = 1, content_folder = 2 };
enum Form : std::uint8_t {
    form_data2 = 0x05,
    form_data4 = 0x06,
    form_data8 = 0x07,
    form_string = 0x08,
    form_block = 0x09,
    form_data1 = 0x0b,
    form_strp = 0x0e,
    form_udata = 0x0f,
    form_data16 = 0x1e,
    form_line_strp = 0x1f,
};

using Bytes = std::span<const std::uint8_t>;

// Reads numbers and strings one after the other from a range of bytes. A read beyond the end of the range returns 0 or
// an empty string. good() is false after such a read.
class Reader {
  public:
    explicit Reader(Bytes bytes) : bytes_(bytes) {
    }
    bool good() const {
        return good_;
    }
    bool more() const {
        return good_ && !bytes_.empty();
    }
    Bytes take(std::size_t count) {
        if (count > bytes_.size()) good_ = false;
        if (!good_) return {};
        const Bytes taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }
    std::uint32_t number(std::size_t bytes) {
        std::uint32_t value = 0;
        unsigned shift = 0;
        for (const std::uint8_t byte : take(bytes)) {
            if (shift < 32) value |= std::uint32_t{byte} << shift;
            shift += 8;
        }
        return value;
    }
    // any() and any_signed() read a number of any length (in the LEB128 format). Both return only the lower 32 bits.
    std::uint32_t any() {
        return leb(false);
    }
    std::uint32_t any_signed() {
        return leb(true);
    }
    std::string_view text() {
        const auto end = std::ranges::find(bytes_, std::uint8_t{0});
        const auto length = static_cast<std::size_t>(end - bytes_.begin());
        const Bytes taken = take(length + 1);
        if (!good_ || length > longest_file_name) return {};
        return {reinterpret_cast<const char *>(taken.data()), length};
    }

  private:
    std::uint32_t leb(bool is_signed) {
        std::uint32_t value = 0;
        for (unsigned shift = 0; more(); shift += 7) {
            const std::uint32_t byte = number(1);
            if (shift < 32) value |= (byte & 0x7f) << shift;
            if ((byte & 0x80) != 0) continue;
            if (is_signed && (byte & 0x40) != 0 && shift + 7 < 32) value |= ~std::uint32_t{0} << (shift + 7);
            return value;
        }
        good_ = false;
        return 0;
    }

    Bytes bytes_;
    bool good_ = true;
};

std::string_view text_at(Bytes section, std::uint32_t offset) {
    if (offset >= section.size()) return {};
    // Limits the length of the name, because many entries of a damaged file can share one very long string.
    const std::size_t most = std::min(section.size() - offset, longest_file_name + 1);
    return Reader(section.subspan(offset, most)).text();
}

class UnitReader {
  public:
    UnitReader(Bytes unit, const DebugSections &sections) : in_(unit), sections_(sections) {
    }
    std::optional<LineUnit> read() {
        const std::uint32_t version = in_.number(2);
        if (version < 2 || version > 5) return std::nullopt;
        if (version >= 5) in_.take(2); // sizes of an address and of a segment selector
        Reader header(in_.take(in_.number(4)));
        instruction_bytes_ = header.number(1);
        if (version >= 4) header.take(1); // maximum_operations_per_instruction, which is 1
        header.take(1);                   // default_is_stmt
        line_base_ = header.number(1);
        line_base_ -= line_base_ > 127 ? 256 : 0; // the field is a signed byte
        line_range_ = header.number(1);
        opcode_base_ = header.number(1);
        lengths_ = opcode_base_ > 0 ? header.take(opcode_base_ - 1) : Bytes();
        if (!header.good() || line_range_ == 0 || opcode_base_ < 10) return std::nullopt;
        if (version >= 5) take_names(header);
        else take_old_names(header);
        if (!header.good()) return std::nullopt;
        while (in_.more()) step();
        return std::move(unit_);
    }

  private:
    // -- names of files and folders -----------------------------------------------------------------------------------

    void take_old_names(Reader &header) {
        folders_.emplace_back(); // folder 0 is the folder of the compilation, which this section does not give
        for (std::string_view name = header.text(); !name.empty(); name = header.text()) folders_.push_back(name);
        unit_.files.emplace_back(); // files are numbered from 1
        for (std::string_view name = header.text(); !name.empty(); name = header.text()) {
            unit_.files.push_back({folder(header.any()), name});
            header.any(); // time of the file's last change
            header.any(); // size of the file
        }
    }
    void take_names(Reader &header) {
        for (const LineFile &entry : take_entries(header)) folders_.push_back(entry.name);
        unit_.top = folder(0);
        unit_.files = take_entries(header);
    }
    // Reads the list of the fields that each entry has, and then the entries.
    std::vector<LineFile> take_entries(Reader &header) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> format(header.number(1));
        for (auto &[content, form] : format) {
            content = header.any();
            form = header.any();
        }
        std::vector<LineFile> entries;
        for (std::uint32_t left = header.any(); left != 0 && header.more() && !format.empty(); left--) {
            LineFile &entry = entries.emplace_back();
            for (const auto &[content, form] : format) take_field(header, content, form, entry);
        }
        return entries;
    }
    void take_field(Reader &header, std::uint32_t content, std::uint32_t form, LineFile &entry) {
        std::uint32_t number = 0;
        std::string_view text;
        switch (form) {
        case form_data1: number = header.number(1); break;
        case form_data2: number = header.number(2); break;
        case form_data4: number = header.number(4); break;
        case form_data8: number = header.number(8); break;
        case form_data16: header.take(16); break;
        case form_udata: number = header.any(); break;
        case form_block: header.take(header.any()); break;
        case form_string: text = header.text(); break;
        case form_strp: text = text_at(sections_.strings, header.number(4)); break;
        case form_line_strp: text = text_at(sections_.line_strings, header.number(4)); break;
        default: header.take(~std::size_t{0}); // unknown form: makes good() false
        }
        if (content == content_path) entry.name = text;
        if (content == content_folder) entry.folder = folder(number);
    }
    std::string_view folder(std::uint32_t number) const {
        return number < folders_.size() ? folders_[number] : std::string_view();
    }

    // -- execution of the line program --------------------------------------------------------------------------------

    void step() {
        const std::uint32_t opcode = in_.number(1);
        if (opcode >= opcode_base_) return special(opcode);
        switch (opcode) {
        case extended: return extend();
        case copy: return add_row();
        case advance_pc: address_ += in_.any() * instruction_bytes_; break;
        case advance_line: line_ += in_.any_signed(); break;
        case set_file: file_ = in_.any(); break;
        case const_add_pc: address_ += (255 - opcode_base_) / line_range_ * instruction_bytes_; break;
        case fixed_advance_pc: address_ += in_.number(2); break;
        default: // an opcode that is not needed here: skip its operands
            for (std::uint32_t left = lengths_[opcode - 1]; left != 0; left--) in_.any();
        }
    }
    void special(std::uint32_t opcode) {
        const std::uint32_t step = opcode - opcode_base_;
        address_ += step / line_range_ * instruction_bytes_;
        line_ += line_base_ + step % line_range_;
        add_row();
    }
    void extend() {
        Reader operands(in_.take(in_.any()));
        switch (operands.number(1)) {
        case end_sequence: return finish();
        case set_address: address_ = operands.number(4); break;
        default: break;
        }
    }
    void add_row() {
        if (rows_.empty() || address_ >= rows_.back().address) rows_.push_back({address_, file_, line_});
    }
    void finish() {
        if (!rows_.empty() && address_ > rows_.front().address) {
            unit_.sequences.push_back({std::move(rows_), address_});
        }
        rows_.clear();
        address_ = 0;
        file_ = line_ = 1;
    }

    Reader in_;
    const DebugSections &sections_;
    LineUnit unit_;
    std::vector<std::string_view> folders_;
    std::uint32_t instruction_bytes_ = 1;
    std::uint32_t line_base_ = 0; // added to line_ modulo 2^32, so a negative value works too
    std::uint32_t line_range_ = 1;
    std::uint32_t opcode_base_ = 0;
    Bytes lengths_; // number of operands of each standard opcode
    std::vector<LineRow> rows_;
    std::uint32_t address_ = 0;
    std::uint32_t file_ = 1;
    std::uint32_t line_ = 1;
};

} // namespace

std::string LineFile::path(std::string_view top) const {
    std::string text(name);
    for (const std::string_view before : {folder, top}) {
        if (!text.starts_with('/') && !before.empty()) text = std::string(before) + '/' + text;
    }
    return text;
}

std::vector<LineUnit> read_lines(const DebugSections &sections) {
    std::vector<LineUnit> units;
    Reader in(sections.lines);
    while (in.more()) {
        const Bytes unit = in.take(in.number(4));
        if (auto lines = UnitReader(unit, sections).read()) units.push_back(std::move(*lines));
    }
    return units;
}

} // namespace skerry::sim
