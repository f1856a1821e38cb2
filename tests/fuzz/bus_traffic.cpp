#define SC_INCLUDE_DYNAMIC_PROCESSES

#include "bus_traffic.h"

#include "fuzz_target.h"

#include <sfpu/dst/dst_memory.h>
#include <sfpu/frontend/front_end.h>
#include <sfpu/memory/bus.h>
#include <sfpu/memory/core_queues.h>
#include <sfpu/memory/dst_window.h>
#include <sfpu/memory/l1_memory.h>
#include <sfpu/memory/ram.h>
#include <sfpu/memory/system_registers.h>
#include <sfpu/memory/tile_control.h>
#include <sfpu/memory/tile_map.h>
#include <sfpu/platform/simulate.h>
#include <sfpu/tile/tile.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace sfpu::fuzz {
namespace {

class initiator : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<initiator, 32> isock{"isock"};

    explicit initiator(const sc_core::sc_module_name& name) : sc_module(name) {
        isock.register_nb_transport_bw(this, &initiator::answer);
    }
    /// With four phases, up to the response.
    void send_in_phases(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        next_ = tlm::END_REQ;
        expect(isock->nb_transport_fw(trans, phase, delay) == tlm::TLM_ACCEPTED, "a request is accepted");
        sc_core::wait(responded_);
        delay = sc_core::SC_ZERO_TIME;
    }

private:
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
        expect(phase == next_, "phases come back in their order");
        if (phase != tlm::BEGIN_RESP) {
            next_ = tlm::BEGIN_RESP;
            return tlm::TLM_ACCEPTED;
        }
        responded_.notify();
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }

    tlm::tlm_phase next_;
    sc_core::sc_event responded_;
};

parameters with_b_core() {
    parameters config;
    config.hart.b_core = true;
    return config;
}

/// What a tile has around its harts, with an initiator at every socket that a platform may use; beside it a
/// unit with two push ports, a Dst that grants direct access, and a whole tile with memory outside.
struct traffic_rig : sc_core::sc_module {
    parameters config;
    dst::dst_memory dst{"dst"};
    vector_unit sfpu{"sfpu"};
    frontend::front_end front{"front", sfpu};
    memory::l1_memory l1{"l1", memory::l1_bytes({}), 2};
    memory::ram ram{"ram", 4096}, local_ram{"local_ram", memory::local_ram_bytes({})}, gprs{"gprs", 0x1000};
    memory::core_queues queues{"queues"};
    memory::tile_control control{"control"};
    memory::system_registers registers{"registers"};
    memory::dst_window window{"window", dst, registers, 2};
    memory::bus bus{"bus", memory::tile_regions({}), 2};
    vector_unit pair{"pair", 2};
    dst::dst_memory pair_dst{"pair_dst"}, free_dst{"free_dst"};
    tile whole{"whole", with_b_core()};
    memory::ram outside{"outside", 0x10000};
    std::vector<std::unique_ptr<initiator>> initiators;

    explicit traffic_rig(const sc_core::sc_module_name& name) : sc_module(name) {
        front.insn_isock().bind(sfpu.insn_tsock());
        sfpu.dst_load_isock().bind(dst.load_tsock);
        sfpu.dst_store_isock().bind(dst.store_tsock);
        dst.attach(front);
        window.attach(front);
        registers.attach(front);
        pair.dst_load_isock().bind(pair_dst.load_tsock);
        pair.dst_store_isock().bind(pair_dst.store_tsock);
        pair_dst.attach(pair);
        spare.load.bind(free_dst.load_tsock);
        spare.store.bind(free_dst.store_tsock);
        bus.isock("l1").bind(l1.tsock(0));
        bus.isock("ram").bind(ram.tsock);
        bus.isock("local_ram").bind(local_ram.tsock);
        bus.isock("config").bind(registers.config_tsock);
        bus.isock("debug_registers").bind(registers.debug_tsock);
        bus.isock("dst_window").bind(window.riscv_tsock);
        bus.isock("mop_config").bind(front.mop_config_tsock);
        bus.isock("instruction_push").bind(front.bus_push_tsock);
        bus.isock("pc_buffer").bind(front.sync_tsock);
        bus.isock("gprs").bind(gprs.tsock);
        bus.isock("mailboxes").bind(queues.mailboxes_tsock(1));
        bus.isock("tile_control").bind(control.tsock);
        whole.isock.bind(outside.tsock);
        drive(bus.tsock(0));
        drive(bus.tsock(1));
        drive(l1.tsock(1));
        drive(dst.mem_tsock);
        drive(pair_dst.mem_tsock);
        drive(free_dst.mem_tsock);
        drive(front.push_tsock);
        drive(front.b_push_tsock);
        drive(pair.insn_tsock(0));
        drive(pair.insn_tsock(1));
        drive(whole.tsock);
    }
    void reset() {
        const sc_core::sc_time period(static_cast<double>(config.period_ps()), sc_core::SC_PS);
        sfpu.reset(config);
        pair.reset(config);
        dst.reset(config, &sfpu.state().reporter);
        pair_dst.reset(config, &pair.state().reporter);
        free_dst.reset(config, nullptr);
        front.reset(config);
        registers.reset(config);
        window.reset(config);
        l1.reset(config);
        ram.reset(cycles{1}, period);
        local_ram.reset(cycles{}, period);
        bus.reset(cycles{1}, period);
        gprs.reset(cycles{}, period);
        queues.reset();
        control.reset();
        whole.reset();
        outside.reset(cycles{1}, period);
    }

private:
    /// Bound, and never used.
    struct spare_slices : dst::slice_bw_if {
        dst::slice_initiator_socket load{"spare_load"}, store{"spare_store"};
        spare_slices() {
            load.bind(*this);
            store.bind(*this);
        }
        tlm::tlm_sync_enum nb_transport_bw(dst::slice_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
            return tlm::TLM_COMPLETED;
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    } spare;

    template <class Socket>
    void drive(Socket& socket) {
        initiators.push_back(
            std::make_unique<initiator>(("initiator_" + std::to_string(initiators.size())).c_str()));
        initiators.back()->isock.bind(socket);
    }
};

/// One transaction: everything about it that a target must leave alone is compared afterwards.
class transaction {
public:
    static constexpr unsigned sockets = 11; ///< of traffic_rig

    explicit transaction(byte_reader& bytes) {
        static const std::vector<memory::region> regions = memory::tile_regions({});
        socket_ = bytes.pick(sockets);
        const bool push = socket_ >= 6 && socket_ < 10;
        kind_ = bytes.pick(8);
        trans_.set_command(static_cast<tlm::tlm_command>(bytes.pick(8) % 3));
        constexpr std::array<unsigned, 12> lengths{4, 4, 4, 4, 1, 2, 8, 16, 0, 3, 64, 260};
        const unsigned length =
            bytes.pick(8) == 0 ? bytes.pick(longest) : lengths[bytes.pick(lengths.size())];
        std::uint64_t address = bytes.take<std::uint32_t>();
        const unsigned place = bytes.byte();
        if (push) address = place < 8 ? address : 0;
        else if (socket_ >= 2 && socket_ != 10) address %= place < 8 ? ~0u : 0x8200;
        else if (place >= 16) {
            const memory::region& region = regions[place % regions.size()];
            address = region.base + (place & 64 ? address % 0x60 : address % (region.size + 4));
        }
        if (place & 1 && length != 0) address -= address % (length % 2 ? 1 : std::min(length, 4u));
        trans_.set_address(address);
        trans_.set_data_length(length);
        const unsigned shape = bytes.byte();
        trans_.set_streaming_width(shape < 8 ? shape : push && shape < 240 ? 4 : std::max(length, 1u));
        data_.fill(canary);
        for (unsigned i = 0; i < std::min(length, 64u); ++i)
            data_[i] = static_cast<unsigned char>(bytes.byte());
        for (unsigned i = 3; push && shape & 1 && i < std::min(length, 64u); i += 4)
            data_[i] = static_cast<unsigned char>(0x70 + data_[i] % 0x2a); // words of the unit
        trans_.set_data_ptr((shape & 0xf0) == 0x10 ? nullptr : data_.data());
        if ((shape & 0xf0) == 0x20) {
            for (unsigned char& each : enables_)
                each = bytes.byte() & 1 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            trans_.set_byte_enable_ptr(enables_.data());
            trans_.set_byte_enable_length(bytes.pick(5));
        }
        const unsigned late = bytes.byte();
        delay_ = sc_core::sc_time(late < 250 ? late % 16 * 300.0 : late * 1e6, sc_core::SC_PS);
        trans_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }

    void send(traffic_rig& rig) {
        auto& socket = rig.initiators[socket_]->isock;
        const std::uint64_t address = trans_.get_address();
        const unsigned length = trans_.get_data_length();
        const tlm::tlm_command command = trans_.get_command();
        const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay_;
        switch (kind_) {
        case 0:
            expect(socket->transport_dbg(trans_) <= length,
                   "a debug access moves no more than was asked for");
            break;
        case 1: {
            tlm::tlm_dmi dmi;
            const bool granted = socket->get_direct_mem_ptr(trans_, dmi);
            expect(dmi.get_start_address() <= dmi.get_end_address(), "a range of direct access is a range");
            expect(!granted || dmi.get_dmi_ptr(), "direct access that is granted has a pointer");
            break;
        }
        case 2:
            // Sockets of convenience wait in a process of their own; the phases of a tile have tests of their
            // own.
            if (socket_ < 8 || socket_ == 10) break;
            rig.initiators[socket_]->send_in_phases(trans_, delay_);
            expect(trans_.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "a request gets a response");
            break;
        default:
            socket->b_transport(trans_, delay_);
            expect(trans_.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
                   "a transaction gets a response");
            expect(sc_core::sc_time_stamp() + delay_ >= begin, "time only grows");
        }
        expect(trans_.get_address() == address && trans_.get_data_length() == length &&
                   trans_.get_command() == command,
               "a payload comes back as it was sent");
        expect(std::all_of(data_.begin() + length, data_.end(),
                           [](unsigned char each) { return each == canary; }),
               "nothing is written behind the data");
    }

private:
    static constexpr unsigned longest = 600;
    static constexpr unsigned char canary = 0xa5;
    unsigned socket_ = 0, kind_ = 0;
    tlm::tlm_generic_payload trans_;
    sc_core::sc_time delay_;
    std::array<unsigned char, longest + 16> data_{};
    std::array<unsigned char, 4> enables_{};
};

void play(traffic_rig& rig, byte_reader bytes) {
    unsigned sent = 0;
    while (!bytes.empty() && sent++ < 60) {
        if (const unsigned pause = bytes.byte(); pause < 64)
            sc_core::wait(sc_core::sc_time(pause * 700.0, sc_core::SC_PS));
        transaction(bytes).send(rig);
    }
}

} // namespace

void play_bus_traffic(std::string_view input) {
    static traffic_rig rig("traffic");
    expect(rig.initiators.size() == transaction::sockets, "every socket has its turn");
    rig.reset();
    sc_core::sc_spawn_options options;
    options.set_stack_size(0x100000); // sanitizers need room
    sc_core::sc_process_handle player = sc_core::sc_spawn([&] { play(rig, byte_reader(input)); },
                                                          sc_core::sc_gen_unique_name("player"), &options);
    platform::simulate(sc_core::sc_time(1, sc_core::SC_SEC));
    if (player.terminated()) return;
    // It sleeps in a wait that nobody ends: only another process can end it.
    sc_core::sc_spawn([player]() mutable { player.kill(); }, sc_core::sc_gen_unique_name("killer"), &options);
    platform::simulate(sc_core::sc_time(1, sc_core::SC_NS));
    expect(player.terminated(), "who waits can be ended");
}

} // namespace sfpu::fuzz
