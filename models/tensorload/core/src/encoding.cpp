#include <sfpu/tensorload/encoding.h>

#include <algorithm>

namespace sfpu::tensorload {
namespace {

/// Bits high:low of a word.
constexpr std::uint32_t field(std::uint32_t word, unsigned high, unsigned low) {
    return word >> low & ((1u << (high - low + 1)) - 1);
}

/// The values of bits 14:12.
enum function : std::uint32_t { memory = 0, move = 1, compute = 2, exchange = 3 };

std::uint8_t register_number(unsigned number) { return static_cast<std::uint8_t>(number % register_count); }

instruction with(operation op) {
    instruction insn;
    insn.op = op;
    insn.engine_id = static_cast<std::uint8_t>(natural_engine(op));
    return insn;
}

instruction transfer(operation op, unsigned tensor, unsigned base, int slices) {
    instruction insn = with(op);
    (insn.is_load() ? insn.destination : insn.a) = register_number(tensor);
    insn.scalar = register_number(base);
    insn.immediate = static_cast<std::int8_t>(slices);
    return insn;
}

instruction of_two_sources(operation op, unsigned axis, unsigned destination, unsigned a, unsigned b) {
    instruction insn = with(op);
    insn.p = static_cast<std::uint8_t>(axis % 4);
    insn.destination = register_number(destination);
    insn.a = register_number(a);
    insn.b = register_number(b);
    return insn;
}

/// Loads and stores. The printed alias of stores has the loads' bits 14:12.
instruction decode_transfer(std::uint32_t word) {
    const bool is_store = field(word, 29, 29), is_masked = field(word, 28, 28);
    const operation op = is_store ? (is_masked ? operation::mstore : operation::store)
                                  : (is_masked ? operation::mload : operation::load);
    return transfer(op, field(word, 19, 15), field(word, 11, 7), static_cast<int>(field(word, 27, 20)));
}

std::optional<instruction> decode_move(std::uint32_t word, bool accept_aliases) {
    const std::uint32_t group = field(word, 29, 27), axis = field(word, 26, 25);
    const bool is_merge = group == 1 || (group == 2 && accept_aliases);
    if (axis == 3 || (group != 0 && !is_merge)) return std::nullopt;
    return of_two_sources(is_merge ? operation::merge : operation::concat, axis, field(word, 11, 7),
                          field(word, 19, 15), field(word, 24, 20));
}

std::optional<instruction> decode_exchange(std::uint32_t word, bool accept_aliases) {
    if (field(word, 29, 29)) return std::nullopt;
    unsigned p = field(word, 26, 25), q = field(word, 28, 27);
    if (p == 2 && q == 2 && accept_aliases) { // printed as the code of axes 1 and 3
        p = 1;
        q = 3;
    }
    return xpose(p, q, field(word, 19, 15), field(word, 24, 20), field(word, 11, 7));
}

std::optional<instruction> decode_operation(std::uint32_t word, bool accept_aliases) {
    const bool bit29 = field(word, 29, 29), bit28 = field(word, 28, 28);
    switch (field(word, 14, 12)) {
    case memory:
        if (bit29 && !accept_aliases) return std::nullopt;
        return decode_transfer(word);
    case move: return decode_move(word, accept_aliases);
    case compute:
        if (bit29) return decode_transfer(word);
        if (bit28) return std::nullopt;
        return addi(field(word, 11, 7), field(word, 19, 15), static_cast<int>(field(word, 27, 20)));
    case exchange: return decode_exchange(word, accept_aliases);
    default: return std::nullopt;
    }
}

std::uint32_t transfer_bits(const instruction& insn) {
    const std::uint32_t tensor = insn.is_load() ? insn.destination : insn.a;
    return std::uint32_t{insn.is_store()} << 29 | std::uint32_t{insn.is_masked()} << 28 |
           std::uint32_t{static_cast<std::uint8_t>(insn.immediate)} << 20 | tensor << 15 |
           (insn.is_store() ? compute : memory) << 12 | std::uint32_t{insn.scalar} << 7;
}

std::uint32_t operation_bits(const instruction& insn) {
    const std::uint32_t a = std::uint32_t{insn.a} << 15, b = std::uint32_t{insn.b} << 20;
    const std::uint32_t p = std::uint32_t{insn.p} << 25, destination = std::uint32_t{insn.destination} << 7;
    switch (insn.op) {
    case operation::load:
    case operation::mload:
    case operation::store:
    case operation::mstore: return transfer_bits(insn);
    case operation::addi:
        return std::uint32_t{static_cast<std::uint8_t>(insn.immediate)} << 20 | a | compute << 12 |
               destination;
    case operation::concat: return p | b | a | move << 12 | destination;
    case operation::merge: return 1u << 27 | p | b | a | move << 12 | destination;
    case operation::xpose:
        return std::uint32_t{insn.q} << 27 | p | b | a | exchange << 12 | std::uint32_t{insn.scalar} << 7;
    }
    return 0;
}

} // namespace

const char* to_string(sub_engine engine) {
    switch (engine) {
    case sub_engine::load: return "load";
    case sub_engine::compute: return "compute";
    case sub_engine::store: return "store";
    case sub_engine::reshape: return "reshape";
    }
    return "?";
}

sub_engine natural_engine(operation op) {
    switch (op) {
    case operation::load:
    case operation::mload: return sub_engine::load;
    case operation::store:
    case operation::mstore: return sub_engine::store;
    case operation::addi: return sub_engine::compute;
    case operation::concat:
    case operation::merge:
    case operation::xpose: break;
    }
    return sub_engine::reshape;
}

std::uint32_t instruction::sources() const {
    if (is_load() || is_no_op()) return 0;
    return (1u << a | 1u << b) & ~1u;
}

std::uint32_t instruction::destinations() const {
    if (is_store() || is_no_op()) return 0;
    if (op == operation::xpose) return sources();
    return 1u << destination & ~1u;
}

instruction load(unsigned destination, unsigned base, int slices) {
    return transfer(operation::load, destination, base, slices);
}
instruction mload(unsigned destination, unsigned base, int slices) {
    return transfer(operation::mload, destination, base, slices);
}
instruction store(unsigned source, unsigned base, int slices) {
    return transfer(operation::store, source, base, slices);
}
instruction mstore(unsigned source, unsigned base, int slices) {
    return transfer(operation::mstore, source, base, slices);
}
instruction addi(unsigned destination, unsigned source, int addend) {
    instruction insn = with(operation::addi);
    insn.destination = register_number(destination);
    insn.a = register_number(source);
    insn.immediate = static_cast<std::int8_t>(addend);
    return insn;
}
instruction concat(unsigned axis, unsigned destination, unsigned a, unsigned b) {
    return of_two_sources(operation::concat, axis, destination, a, b);
}
instruction merge(unsigned axis, unsigned destination, unsigned a, unsigned b) {
    return of_two_sources(operation::merge, axis, destination, a, b);
}
instruction xpose(unsigned p, unsigned q, unsigned a, unsigned b, unsigned dimensions) {
    instruction insn = with(operation::xpose);
    insn.p = static_cast<std::uint8_t>(std::min(p % 4, q % 4));
    insn.q = static_cast<std::uint8_t>(std::max(p % 4, q % 4));
    insn.a = register_number(a);
    insn.b = register_number(b);
    insn.scalar = register_number(dimensions);
    return insn;
}

std::optional<instruction> decode(std::uint32_t word, const tensorload_parameters& config) {
    if (!is_tensorload(word)) return std::nullopt;
    std::optional<instruction> insn = decode_operation(word, config.accept_printed_aliases);
    if (!insn) return std::nullopt;
    const std::uint32_t natural = insn->engine_id;
    insn->engine_id = static_cast<std::uint8_t>(field(word, 31, 30));
    if (config.engine_id == engine_id_use::strict && insn->engine_id != natural) return std::nullopt;
    return insn;
}

std::uint32_t encode(const instruction& insn) {
    return std::uint32_t{insn.engine_id} << 30 | operation_bits(insn) | major_opcode;
}

} // namespace sfpu::tensorload
