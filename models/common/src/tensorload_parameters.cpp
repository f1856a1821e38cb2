// The parameters of the TensorLoad engine.
#include "parameter_rows.h"

namespace sfpu {
namespace {

using p = parameters;
using t = tensorload_parameters;
using e = evidence;

template <auto Field>
parameter_row integer_type(const char* path, const char* help) {
    return parameter_rows::choice<&p::tensorload, Field>(path, {"none", "move", "all"}, e::choice,
                                                         "tensorload.md A3, C40", help);
}

template <auto Field>
parameter_row float_type(const char* path, const char* help) {
    return parameter_rows::choice<&p::tensorload, Field>(path, {"none", "move"}, e::choice,
                                                         "tensorload.md A3, C40, C42", help);
}

template <auto Field>
parameter_row bytes_a_cycle(const char* path, evidence basis, const char* source, const char* help) {
    using namespace parameter_rows;
    return costs(byte_cost,
                 integer<&p::tensorload, Field>(path, 1, 1024, "bytes/cycle", basis, source, help));
}

template <auto Field>
parameter_row delay(const char* path, evidence basis, const char* source, const char* help) {
    return parameter_rows::integer<&p::tensorload, Field>(path, 0, 1000, "cycles", basis, source, help);
}

} // namespace

std::vector<parameter_row> tensorload_parameter_rows() {
    using namespace parameter_rows;
    return {
        choice<&p::tensorload, &t::engine_id>(
            "tensorload.engine_id", {"ignore", "route", "strict"}, e::inferred, "tensorload.md C9",
            "bits 31:30 of an instruction: no effect, or they choose the sub-engine, or they must be right"),
        boolean<&p::tensorload, &t::accept_printed_aliases>(
            "tensorload.accept_printed_aliases", e::documented, "tensorload.md A2, C7, C11, C14",
            "whether encodings are accepted that are printed beside the formats they contradict"),
        boolean<&p::tensorload, &t::xpose_elem_from_ttype>(
            "tensorload.xpose_elem_from_ttype", e::inferred, "tensorload.md C16",
            "whether tl.xpose moves elements of ttype; false: bytes"),
        boolean<&p::tensorload, &t::concat_grow>(
            "tensorload.concat_grow", e::choice, "tensorload.md C29",
            "whether a tl.concat of more positions than tshape has makes its result longer; false: illegal"),
        choice<&p::tensorload, &t::stride>(
            "tensorload.stride", {"scaled", "literal"}, e::inferred, "tensorload.md C32",
            "a write of S to an un-indexed stride CSR gives entry i the value i * S, or S"),
        choice<&p::tensorload, &t::width>("tensorload.width", {"bytes", "elements"}, e::choice,
                                          "tensorload.md C34", "what the width CSRs count"),
        choice<&p::tensorload, &t::tail>("tensorload.tail", {"unchanged", "zero"}, e::choice,
                                         "tensorload.md C39",
                                         "what a load does to the bytes of its register behind the slices"),
        hexadecimal<&p::tensorload, &t::reset_pattern>(
            "tensorload.reset_pattern", e::choice, "tensorload.md A1",
            "word that fills tl1 to tl31 at reset; their content is unspecified"),
        integer_type<&t::int4>("tensorload.int4",
                               "use of int4: none, loads, stores and moves, or arithmetic too"),
        integer_type<&t::int8>("tensorload.int8",
                               "use of int8: none, loads, stores and moves, or arithmetic too"),
        integer_type<&t::int16>("tensorload.int16",
                                "use of int16: none, loads, stores and moves, or arithmetic too"),
        integer_type<&t::int32>("tensorload.int32",
                                "use of int32: none, loads, stores and moves, or arithmetic too"),
        float_type<&t::fp4>("tensorload.fp4", "use of fp4 (E2M1): none, or loads, stores and moves"),
        float_type<&t::fp8>("tensorload.fp8",
                            "use of fp8 (E4M3, E5M2, E3M4): none, or loads, stores and moves"),
        float_type<&t::fp16>("tensorload.fp16", "use of binary16: none, or loads, stores and moves"),
        float_type<&t::bf16>("tensorload.bf16", "use of bfloat16: none, or loads, stores and moves"),
        float_type<&t::fp32>("tensorload.fp32", "use of binary32: none, or loads, stores and moves"),

        choice<&p::tensorload, &t::l0m>(
            "tensorload.l0m", {"by_architecture", "dst", "l1", "sram"}, e::choice, "tensorload.md A7, C38",
            "where stores go: the Dst window, L1, a memory of their own; by architecture: the window on "
            "Blackhole, L1 on Wormhole"),
        boolean<&p::tensorload, &t::l0m_raw>(
            "tensorload.l0m_raw", e::choice, "tensorload.md A7",
            "whether stores to Dst move raw bytes in bulk; false: one element a transaction, converted"),
        hexadecimal<&p::tensorload, &t::l1m_base>("tensorload.l1m_base", e::documented,
                                                  "tensorload.md A7; tile.md K1",
                                                  "bus address of the space of loads"),
        hexadecimal<&p::tensorload, &t::l1m_size>("tensorload.l1m_size", e::documented,
                                                  "tensorload.md A7; tile.md K1",
                                                  "bytes of the space of loads; 0: all of L1"),
        hexadecimal<&p::tensorload, &t::l0m_base>("tensorload.l0m_base", e::documented,
                                                  "tensorload.md A7; tile.md K7",
                                                  "bus address of the space of stores, unless they go to L1"),
        hexadecimal<&p::tensorload, &t::l0m_size>("tensorload.l0m_size", e::documented,
                                                  "tensorload.md A7; tile.md K7",
                                                  "bytes of the space of stores, unless they go to L1"),
        choice<&p::tensorload, &t::beats>("tensorload.beats", {"slice", "beat"}, e::choice,
                                          "tensorload.md A8",
                                          "one transaction for each slice, or one for each beat"),

        costs(4 * word_cost, // each of the four sub-engines has a queue
              integer<&p::tensorload, &t::queue_depth>(
                  "tensorload.queue_depth", 1, 64, "instructions", e::choice, "tensorload.md A8",
                  "instructions that wait for a sub-engine before the hart is held")),
        delay<&t::decode>("tensorload.decode", e::choice, "tensorload.md A8",
                          "cycles to decode an instruction"),
        bytes_a_cycle<&t::l1_bytes>("tensorload.l1_bytes", e::documented,
                                    "tensorload.md A8; ISA documentation, L1",
                                    "width of the port to L1: one access of 128 bits a cycle"),
        delay<&t::l1_lat>("tensorload.l1_lat", e::documented, "tensorload.md A8; tile.md K1",
                          "latency of L1"),
        bytes_a_cycle<&t::l0_bytes>("tensorload.l0_bytes", e::inferred, "tensorload.md A8",
                                    "width of the port to Dst or a memory for stores: one Dst row"),
        delay<&t::l0_lat>("tensorload.l0_lat", e::inferred, "tensorload.md A8",
                          "latency of Dst or the memory for stores"),
        bytes_a_cycle<&t::tlr_bytes>(
            "tensorload.tlr_bytes", e::inferred, "tensorload.md A8",
            "width of a port of the tensor registers: 32 lanes of 32 bits, like an LReg"),
        costs(128 * byte_cost, integer<&p::tensorload, &t::tlr_read_ports>(
                                   "tensorload.tlr_read_ports", 1, 2, "ports", e::choice, "tensorload.md A8",
                                   "read ports of the tensor registers; with one, tl.concat "
                                   "and tl.merge read one source after the other")),
        delay<&t::alu_pipe>("tensorload.alu_pipe", e::choice, "tensorload.md A8",
                            "stages of tl.addi, tl.concat and tl.merge: add and clamp"),
        delay<&t::xp_pipe>("tensorload.xp_pipe", e::choice, "tensorload.md A8",
                           "stages of tl.xpose: crossbars in front of the buffer and behind it"),
        costs(2048 * byte_cost, boolean<&p::tensorload, &t::xpose_double_buffer>(
                                    "tensorload.xpose_double_buffer", e::choice, "tensorload.md A8",
                                    "whether one tl.xpose fills its buffer while the one before drains")),
        choice<&p::tensorload, &t::xpose>(
            "tensorload.xpose_buffer", {"flop", "sram_swizzled", "sram_row_xor", "sram_plain"}, e::choice,
            "tensorload.md A8",
            "the buffer of tl.xpose: flip-flops (a beat a cycle), or banks with a layout, which conflict"),
    };
}

} // namespace sfpu
