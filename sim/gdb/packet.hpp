// SPDX-License-Identifier: BSD-3-Clause
// Reads and builds the frames of gdb's remote serial protocol. A frame has the form $payload#checksum. The receiver
// answers each frame with + (received) or - (send the frame again). A single byte 0x03 means "stop the program".
// PacketReader accepts the bytes in pieces of any size and with any content.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skerry::sim::gdb {

constexpr std::size_t largest_packet = 0x4000; // bytes; qSupported reports this limit to gdb

struct Received {
    enum class Kind : std::uint8_t { packet, damaged, interrupt, acknowledged, again };
    Kind kind;
    std::string payload; // the content of a packet, without escapes
};

class PacketReader {
  public:
    void feed(std::string_view bytes) {
        waiting_ += bytes;
    }
    // Returns the next frame, acknowledgement or stop byte that has arrived completely, or nothing.
    std::optional<Received> next();

  private:
    std::optional<Received> packet();
    std::string waiting_;
};

// Returns the frame of a payload, with escapes and checksum.
std::string frame(std::string_view payload);

std::string to_hex(std::string_view bytes);
// Converts hexadecimal digits to bytes. Returns nothing if the text is not an even number of hexadecimal digits.
std::optional<std::string> from_hex(std::string_view digits);
// Converts a hexadecimal number. Returns nothing if the whole text is not such a number or the number exceeds 32 bits.
std::optional<std::uint32_t> hex_number(std::string_view text);

} // namespace skerry::sim::gdb
