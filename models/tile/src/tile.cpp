#include <sfpu/tile/tile.h>

#include "tile_counters.h"
#include "tile_parts.h"

#include <sfpu/vector_unit/unit_counters.h>

#include <fmt/format.h>

namespace sfpu {

tile::tile(const sc_core::sc_module_name& name, const parameters& config, socket_binder* binder)
    : sc_module(name), parts_(std::make_unique<parts>(*this, config, binder)) {
    tsock.register_b_transport(this, &tile::b_transport);
    tsock.register_nb_transport_fw(this, &tile::nb_transport_fw);
    tsock.register_transport_dbg(this, &tile::transport_dbg);
    tsock.register_get_direct_mem_ptr(this, &tile::get_direct_mem_ptr);
    reset();
}

tile::~tile() = default;

void tile::end_of_elaboration() { parts_->connect_outside(); }

void tile::end_of_simulation() {
    catch_up();
    if (parts_->heard_by.observer) parts_->heard_by.observer->simulation_ended();
}

void tile::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    parts_->access(trans, delay);
}
tlm::tlm_sync_enum tile::nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
    return parts_->four_phases->forward(trans, phase, delay);
}
unsigned tile::transport_dbg(tlm::tlm_generic_payload& trans) { return parts_->transport_dbg(trans); }
bool tile::get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    return parts_->get_direct_mem_ptr(trans, dmi);
}

void tile::reset(const listeners& to) { parts_->reset(to); }
void tile::reset() { parts_->reset(parts_->heard_by); }

void tile::load(const riscv::elf_image& program) {
    parts_->check_no_reset();
    parts_->copy(program, 0);
    for (unsigned core = 0; core < parts_->cores.size(); ++core) {
        parts_->tohost[core] = program.symbol("tohost");
        parts_->fromhost[core] = program.symbol("fromhost");
        start(core, program.entry());
    }
}

void tile::load(const riscv::elf_image& program, unsigned core) {
    place(program, core);
    start(core, program.entry());
}

void tile::place(const riscv::elf_image& program, unsigned core) {
    if (!parts_->has_core(core))
        throw std::out_of_range(fmt::format("{}: there is no core {}", name(), core));
    parts_->check_no_reset();
    parts_->copy(program, core);
}

/// As if its start address was set and its bit of SOFT_RESET_0 cleared, but data RAM keeps what was loaded.
void tile::start(unsigned core, std::uint32_t pc) {
    parts& p = *parts_;
    const unsigned bit = core == b_core ? 11 : 12 + core;
    p.registers.set_soft_reset(p.registers.soft_reset() & ~(1u << bit));
    p.start(core, pc);
}

void tile::start_core(unsigned core, std::uint32_t pc) {
    if (!parts_->has_core(core))
        throw std::out_of_range(fmt::format("{}: there is no core {}", name(), core));
    parts_->check_no_reset();
    start(core, pc);
}

void tile::watch_tohost(std::uint32_t address, std::optional<std::uint32_t> fromhost) {
    parts_->for_each_core([&](unsigned core) {
        parts_->tohost[core] = address;
        parts_->fromhost[core] = fromhost;
        parts_->watch(core);
    });
}

void tile::watch_completion(unsigned core, std::uint32_t address, std::uint32_t value, std::uint32_t mask) {
    if (!parts_->has_core(core))
        throw std::out_of_range(fmt::format("{}: there is no core {}", name(), core));
    parts_->completions[core] = parts::completion{address, value, mask, false};
    parts_->watch(core);
}

bool tile::is_complete(unsigned core) const {
    return parts_->has_core(core) && parts_->completions[core] && parts_->completions[core]->is_done;
}

void tile::set_console(console_function console) { parts_->console = std::move(console); }

const sc_core::sc_event& tile::done_event() const { return parts_->done; }
tile_status tile::status() const { return parts_->status; }

void tile::set_longest_push(unsigned words) {
    parts_->for_each_core([&](unsigned core) { parts_->hart(core).set_longest_push(words); });
}

bool tile::read(std::uint32_t address, unsigned char* data, std::size_t count) {
    return parts_->debug_access(tlm::TLM_READ_COMMAND, address, data, count) == count;
}

bool tile::write(std::uint32_t address, const unsigned char* data, std::size_t count) {
    // A payload's data cannot be const; a write leaves them alone.
    return parts_->debug_access(tlm::TLM_WRITE_COMMAND, address, const_cast<unsigned char*>(data), count) ==
           count;
}

std::optional<tile::core_state> tile::core(unsigned number) const {
    if (!parts_->has_core(number)) return std::nullopt;
    const riscv::hart& hart = parts_->hart(number);
    return core_state{parts_->held[number], hart.state(), hart.core().pc(), hart.core().now()};
}

void tile::set_cycle_limit(cycles limit) {
    parts_->limit = limit;
    parts_->for_each_core([&](unsigned core) { parts_->hart(core).set_cycle_limit(limit); });
}

void tile::give_up() { parts_->ended = true; }

void tile::catch_up() { parts_->front_ends.catch_up(sc_core::sc_time_stamp()); }

cycles tile::settle() {
    parts_->front_ends.hand_on_all();
    parts_->sfpu.drain();
    parts_->dst.settle();
    return parts_->sfpu.now() - one_cycle;
}

void tile::set_dst(const dst::image& rows) {
    catch_up();
    settle();
    parts_->dst.storage().fill(rows);
}

dst::image tile::dst() const {
    dst::image image;
    parts_->dst.storage().copy_to(image);
    return image;
}

const memory::address_map& tile::map() const { return parts_->bus.map(); }

memory::address_map tile::outside_map() const {
    return memory::address_map(memory::seen_by(parts_->bus.map().regions(), parts_->ports.outside()));
}

probe::unit_counters tile::vector_unit_counters() const { return counters_of(parts_->sfpu, parts_->dst); }

std::uint64_t tile::hart_instructions() const {
    std::uint64_t sum = 0;
    parts_->for_each_core([&](unsigned core) { sum += parts_->hart(core).core().counters().instructions; });
    return sum;
}

std::vector<probe::counter_group> tile::counters() const {
    std::vector<probe::counter_group> groups;
    const auto add = [&groups](probe::counter_group group, const std::string& core) {
        group.name += core;
        groups.push_back(std::move(group));
    };
    for (std::size_t i = 0; i < parts_->cores.size(); ++i) {
        const tile_core& core = *parts_->cores[i];
        const std::string number = i ? std::to_string(i) : "";
        add(hart_counters(core.hart().core()), number);
        add(front_end_counters(core.front_end()), number);
        add(tensorload_counters(core.engine()), number);
    }
    if (parts_->b) add(hart_counters(parts_->b->hart().core()), "_b");
    groups.push_back(l1_counters(parts_->l1));
    return groups;
}

std::vector<probe::activity_lane> tile::lanes() const {
    using probe::tile_unit;
    std::vector<probe::activity_lane> lanes;
    const auto add = [&lanes](tile_unit unit, std::size_t instance,
                              std::initializer_list<const char*> names) {
        for (const char* name : names) lanes.push_back({unit, static_cast<std::uint8_t>(instance), name});
    };
    for (std::size_t core = 0; core < parts_->cores.size(); ++core) {
        add(tile_unit::hart, core, {"retire", "stall"});
        add(tile_unit::front_end, core, {"fifo", "mop", "replay", "wait_gate"});
    }
    if (parts_->b) add(tile_unit::hart, b_core, {"retire", "stall"});
    add(tile_unit::tensorload, 0, {"issue", "load", "compute", "store", "reshape"});
    for (unsigned port = 0; port < parts_->l1_ports(); ++port)
        add(tile_unit::memory, port, {"l1", "l1_conflict"});
    return lanes;
}

} // namespace sfpu
