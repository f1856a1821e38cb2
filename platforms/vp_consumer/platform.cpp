#include "platform.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace vp {
namespace {

void check(const tlm::tlm_generic_payload& trans, const char* who) {
    if (!trans.is_response_ok()) throw std::runtime_error(who + (": " + trans.get_response_string()));
}

void fill(tlm::tlm_generic_payload& trans, tlm::tlm_command command, std::uint64_t address, void* data,
          unsigned bytes) {
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(static_cast<unsigned char*>(data));
    trans.set_data_length(bytes);
    trans.set_streaming_width(bytes);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/// What core T0 of each tile runs, from its start address 0x6000 on. It sleeps until the timer's interrupt
/// has come, waits for operands, copies them into Dst, pushes the kernel, waits for the vector unit, copies
/// the results to the shared memory, raises the tile's interrupt output and ends. L1: 0x100 ticks, 0x104
/// operands are there, 0x108 words of the kernel, 0x10c where results go, 0x110 mcause, 0x200 operands, 0x400
/// the kernel.
const std::vector<std::uint32_t> program{
    0x000072b7, 0x30529073,                         // mtvec = 0x7000
    0x08000293, 0x30429073, 0x30046073,             // mie = timer; interrupts on
    0x10500073, 0x10002283, 0xfe028ce3,             // wfi until [0x100]
    0x10402283, 0xfe028ee3,                         // wait until [0x104]
    0xffef04b7, 0x000482b7, 0x0054a623,             // RISC_DEST_ACCESS_CTRL: unsigned elements of 16 bits
    0xffbd8937, 0x00000993,                         // 16 of them from 0x200 to the Dst window
    0x2009d283, 0x00591023, 0x00290913, 0x00298993, //
    0x02000313, 0xfe69c6e3,                         //
    0xffe40a37, 0x00000993, 0x10802383,             // [0x108] words from 0x400 to the push address
    0x4009a283, 0x005a2023, 0x00498993, 0xfff38393, //
    0xfe0398e3,                                     //
    0xffe80ab7, 0x000aa223, 0x004aa283, 0x0002f293, // CoprocessorDoneCheck
    0xffbd8937, 0x10c02b03, 0x00000993, 0x02000313, // from the Dst window to [0x10c]
    0x00095283, 0x005b1023, 0x00290913, 0x002b0b13, //
    0x00298993, 0xfe69c6e3,                         //
    0xffb10bb7, 0x00100293, 0x005ba223, 0x005ba023, // INTERRUPT_OUT = 1, EXIT = 1
    0x0000006f};
/// Its handler, at 0x7000: notes the cause, counts, and turns the timer's interrupt off.
const std::vector<std::uint32_t> handler{0x342022f3, 0x10502823, 0x00100293, 0x10502023,
                                         0x08000293, 0x3042b073, 0x30200073};

constexpr std::uint32_t soft_reset = 0xffb121b0, all_cores = 0x47800, core_t0 = 1u << 12;

} // namespace

// --- memory, interconnect ----------------------------------------------------------------------------------

shared_memory::shared_memory(const sc_core::sc_module_name& name) : sc_module(name) {
    tsock.register_b_transport(this, &shared_memory::b_transport);
    tsock.register_transport_dbg(this, &shared_memory::transport_dbg);
}

unsigned shared_memory::transport_dbg(tlm::tlm_generic_payload& trans) {
    if (trans.get_address() >= bytes.size()) return 0;
    const auto length = static_cast<unsigned>(
        std::min<std::uint64_t>(trans.get_data_length(), bytes.size() - trans.get_address()));
    unsigned char* const place = bytes.data() + trans.get_address();
    if (trans.is_read()) std::memcpy(trans.get_data_ptr(), place, length);
    else if (trans.is_write()) std::memcpy(place, trans.get_data_ptr(), length);
    return length;
}

void shared_memory::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const bool fits = trans.get_address() + trans.get_data_length() <= bytes.size();
    if (fits) transport_dbg(trans);
    trans.set_response_status(fits ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    delay += sc_core::sc_time(20, sc_core::SC_NS);
}

interconnect::interconnect(const sc_core::sc_module_name& name) : sc_module(name) {
    tsock.register_b_transport(this, &interconnect::b_transport);
    tsock.register_transport_dbg(this, &interconnect::transport_dbg);
}

int interconnect::route(std::uint64_t address, std::uint64_t& base) const {
    base = address >> 32 ? address >> 32 << 32 : shared_base;
    if (address >= shared_base && address < shared_base + shared_bytes) return 0;
    const std::uint64_t tile = address >> 32;
    return tile == 1 || tile == 2 ? static_cast<int>(tile) : -1;
}

void interconnect::b_transport(int, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const std::uint64_t address = trans.get_address();
    std::uint64_t base = 0;
    const int target = route(address, base);
    if (target < 0) return trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    trans.set_address(address - base);
    isock[target]->b_transport(trans, delay);
    trans.set_address(address);
}

unsigned interconnect::transport_dbg(int, tlm::tlm_generic_payload& trans) {
    const std::uint64_t address = trans.get_address();
    std::uint64_t base = 0;
    const int target = route(address, base);
    if (target < 0) return 0;
    trans.set_address(address - base);
    const unsigned moved = isock[target]->transport_dbg(trans);
    trans.set_address(address);
    return moved;
}

// --- initiators --------------------------------------------------------------------------------------------

dma::dma(const sc_core::sc_module_name& name) : sc_module(name) {}

void dma::access(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned bytes) {
    tlm::tlm_generic_payload trans;
    fill(trans, command, address, data, bytes);
    sc_core::sc_time delay;
    isock->b_transport(trans, delay);
    check(trans, "DMA");
    wait(delay);
}

void dma::copy(std::uint64_t from, std::uint64_t to, unsigned bytes) {
    std::array<unsigned char, 16> line{};
    for (unsigned at = 0; at < bytes; at += 16) {
        const unsigned count = std::min(16u, bytes - at);
        access(tlm::TLM_READ_COMMAND, from + at, line.data(), count);
        access(tlm::TLM_WRITE_COMMAND, to + at, line.data(), count);
    }
}

timer::timer(const sc_core::sc_module_name& name, const sc_core::sc_time& period)
    : sc_module(name), period_(period) {
    SC_HAS_PROCESS(timer);
    SC_THREAD(run);
}

void timer::run() {
    for (;;) {
        wait(period_ / 2);
        tick.write(true);
        wait(period_ / 2);
        tick.write(false);
    }
}

runner::runner(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(runner);
    SC_THREAD(run);
}

void runner::run() {
    tlm_utils::tlm_quantumkeeper time;
    time.reset();
    for (;;) {
        ++count;
        tlm::tlm_generic_payload trans;
        fill(trans, tlm::TLM_WRITE_COMMAND, shared_base + 0xff00, &count, 4);
        sc_core::sc_time delay = time.get_local_time();
        isock->b_transport(trans, delay);
        check(trans, "runner");
        time.set(delay);
        time.inc(sc_core::sc_time(50, sc_core::SC_NS));
        if (time.need_sync()) time.sync();
    }
}

// --- the platform ------------------------------------------------------------------------------------------

board::board(const sc_core::sc_module_name& name, std::array<std::vector<std::uint32_t>, 2> kernels)
    : sc_module(name), tile_a("tile_a", sfpu::parameters{}), tile_b("tile_b", sfpu::parameters{}),
      ticks("ticks", sc_core::sc_time(2, sc_core::SC_US)), kernels_(std::move(kernels)) {
    isock.bind(bus.tsock);
    mover.isock.bind(bus.tsock);
    ahead.isock.bind(bus.tsock);
    bus.isock.bind(memory.tsock);
    ticks.tick.bind(tick);
    unsigned number = 0;
    for (sfpu::tile* tile : {&tile_a, &tile_b}) {
        bus.isock.bind(tile->tsock); // its addresses
        tile->isock.bind(bus.tsock); // what its cores access outside
        tile->timer_interrupt.bind(tick);
        tile->interrupt_out.bind(finished[number++]);
    }
    SC_HAS_PROCESS(board);
    SC_THREAD(host);
}

void board::store(std::uint64_t address, std::uint32_t word) {
    tlm::tlm_generic_payload trans;
    fill(trans, tlm::TLM_WRITE_COMMAND, address, &word, 4);
    sc_core::sc_time delay;
    isock->b_transport(trans, delay);
    check(trans, "host");
    wait(delay);
}

/// Tile 0 by transport, word by word; tile 1 by a debug access, as a loader of the platform's own would.
void board::load_program(unsigned tile) {
    for (const auto& [address, words] : {std::pair(0x6000u, &program), std::pair(0x7000u, &handler)}) {
        if (tile == 0) {
            for (unsigned i = 0; i < words->size(); ++i) store(in_tile(tile, address + 4 * i), (*words)[i]);
            continue;
        }
        std::vector<std::uint32_t> copy = *words;
        tlm::tlm_generic_payload trans;
        fill(trans, tlm::TLM_WRITE_COMMAND, in_tile(tile, address), copy.data(),
             static_cast<unsigned>(4 * copy.size()));
        if (isock->transport_dbg(trans) != 4 * copy.size())
            throw std::runtime_error("the program was not loaded");
    }
}

void board::host() {
    for (unsigned tile = 0; tile < 2; ++tile) {
        load_program(tile);
        const std::vector<std::uint32_t>& kernel = kernels_[tile];
        for (unsigned i = 0; i < kernel.size(); ++i) store(in_tile(tile, 0x400 + 4 * i), kernel[i]);
        store(in_tile(tile, 0x108), static_cast<std::uint32_t>(kernel.size()));
        store(in_tile(tile, 0x10c), static_cast<std::uint32_t>(shared_base + 0x1000 * (tile + 1)));
        store(in_tile(tile, soft_reset), all_cores & ~core_t0); // T0 begins at 0x6000
        for (unsigned i = 0; i < 16; i += 2)
            store(shared_base + 0x100 * tile + 2 * i,
                  operand(tile, i) | static_cast<std::uint32_t>(operand(tile, i + 1)) << 16);
        mover.copy(shared_base + 0x100 * tile, in_tile(tile, 0x200), 32);
        store(in_tile(tile, 0x104), 1);
    }
    while (!finished[0].read() || !finished[1].read())
        wait(finished[0].value_changed_event() | finished[1].value_changed_event());
    wait(sc_core::sc_time(1, sc_core::SC_US));
    is_finished_ = true;
    sc_core::sc_stop();
}

std::array<std::uint16_t, 16> board::results(unsigned tile) const {
    std::array<std::uint16_t, 16> values{};
    std::memcpy(values.data(), memory.bytes.data() + 0x1000 * (tile + 1), sizeof values);
    return values;
}

std::uint32_t board::cause(unsigned tile) {
    std::uint32_t word = 0;
    tlm::tlm_generic_payload trans;
    fill(trans, tlm::TLM_READ_COMMAND, in_tile(tile, 0x110), &word, 4);
    return isock->transport_dbg(trans) == 4 ? word : 0;
}

} // namespace vp
