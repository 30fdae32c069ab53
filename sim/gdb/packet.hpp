// SPDX-License-Identifier: BSD-3-Clause
// The frames of gdb's remote serial protocol: $payload#checksum, acknowledged by + or -, and 0x03 for "stop". The bytes
// may come in any pieces and may be anything.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skerry::sim::gdb {

constexpr std::size_t largest_packet = 0x4000; // as told to gdb

struct Received {
    enum class Kind : std::uint8_t { packet, damaged, interrupt, acknowledged, again };
    Kind kind;
    std::string payload; // of a packet, without escapes
};

class PacketReader {
  public:
    void feed(std::string_view bytes) {
        waiting_ += bytes;
    }
    // The next thing that has come as a whole.
    std::optional<Received> next();

  private:
    std::optional<Received> packet();
    std::string waiting_;
};

// With escapes and checksum.
std::string frame(std::string_view payload);

std::string to_hex(std::string_view bytes);
// Nothing where it is not an even number of hexadecimal digits.
std::optional<std::string> from_hex(std::string_view digits);
// All of the text as a hexadecimal number.
std::optional<std::uint32_t> hex_number(std::string_view text);

} // namespace skerry::sim::gdb
