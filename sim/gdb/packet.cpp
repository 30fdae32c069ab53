// SPDX-License-Identifier: BSD-3-Clause
// Finds packets in a stream of bytes, and builds the frames of packets to send.
#include "gdb/packet.hpp"

#include <charconv>
#include <numeric>

namespace skerry::sim::gdb {
namespace {

constexpr char escape = '}';
constexpr char escaped_by = 0x20;
constexpr std::string_view hex_digits = "0123456789abcdef";

std::uint8_t checksum(std::string_view bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::uint8_t{0},
                           [](std::uint8_t sum, char c) { return static_cast<std::uint8_t>(sum + c); });
}

std::string without_escapes(std::string_view payload) {
    std::string plain;
    for (std::size_t k = 0; k < payload.size(); k++) {
        const bool escaped = payload[k] == escape && k + 1 < payload.size();
        plain += escaped ? static_cast<char>(payload[++k] ^ escaped_by) : payload[k];
    }
    return plain;
}

std::string hex_byte(std::uint8_t value) {
    return {hex_digits[value >> 4], hex_digits[value & 15]};
}

} // namespace

std::optional<Received> PacketReader::next() {
    while (!waiting_.empty()) {
        const char first = waiting_.front();
        if (first == '$') return packet();
        waiting_.erase(0, 1);
        if (first == '\3') return Received{Received::Kind::interrupt, {}};
        if (first == '+') return Received{Received::Kind::acknowledged, {}};
        if (first == '-') return Received{Received::Kind::again, {}};
    }
    return std::nullopt;
}

std::optional<Received> PacketReader::packet() {
    const std::size_t end = waiting_.find('#', 1);
    if (end == std::string::npos || end + 2 >= waiting_.size()) {
        if (waiting_.size() <= 2 * largest_packet + 4) return std::nullopt; // the packet's end has not arrived yet
        waiting_.clear();
        return Received{Received::Kind::damaged, {}};
    }
    const std::string payload = waiting_.substr(1, end - 1);
    const auto sum = hex_number(std::string_view(waiting_).substr(end + 1, 2));
    waiting_.erase(0, end + 3);
    if (!sum || *sum != checksum(payload)) return Received{Received::Kind::damaged, {}};
    return Received{Received::Kind::packet, without_escapes(payload)};
}

std::string frame(std::string_view payload) {
    std::string sent;
    for (const char c : payload) {
        if (c == '#' || c == '$' || c == escape || c == '*') {
            sent += escape;
            sent += static_cast<char>(c ^ escaped_by);
        } else {
            sent += c;
        }
    }
    return '$' + sent + '#' + hex_byte(checksum(sent));
}

std::string to_hex(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) text += hex_byte(static_cast<std::uint8_t>(c));
    return text;
}

std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t k = 0; k < text.size(); k += 2) {
        const auto value = hex_number(text.substr(k, 2));
        if (!value) return std::nullopt;
        bytes += static_cast<char>(*value);
    }
    return bytes;
}

std::optional<std::uint32_t> hex_number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

} // namespace skerry::sim::gdb
