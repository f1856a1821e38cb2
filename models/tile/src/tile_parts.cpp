#include "tile_parts.h"

#include <sfpu/tensorload/timing.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace sfpu {
namespace {

/// Regions to which a program may be loaded.
const std::set<std::string> loadable_regions{"l1", "ram", "local_ram"};

/// GNU ld without a linker script puts the headers of the file, page by page, in front of the first section.
bool holds_file_header(const riscv::elf_segment& segment) {
    constexpr unsigned char magic[]{0x7f, 'E', 'L', 'F'};
    return segment.bytes.size() >= sizeof magic &&
           std::equal(std::begin(magic), std::end(magic), segment.bytes.begin());
}

memory::tile_initiators initiators_of(const parameters& config) {
    return {config.hart.count, tensorload::stores_elements(config), config.hart.b_core};
}

/// All but the master outside.
memory::initiator_mask inside_mask(const memory::tile_initiators& ports) {
    return ((1u << ports.count()) - 1) & ~ports.outside_mask();
}

std::vector<memory::absent_registers::space> absent_spaces() {
    std::vector<memory::absent_registers::space> spaces;
    for (const memory::space_not_modelled& each : memory::spaces_not_modelled())
        spaces.push_back({each.name, each.what, each.keeps});
    return spaces;
}

/// What a tile is built from; the defaults if that is wrong and the report of it did not throw.
parameters checked(const parameters& wanted, const char* name) {
    const std::vector<std::string> problems = wanted.problems();
    if (problems.empty()) return wanted;
    SC_REPORT_ERROR("/sfpu/parameters/invalid",
                    fmt::format("{}: {}", name, fmt::join(problems, "; ")).c_str());
    return {};
}

constexpr std::uint32_t soft_reset_bit(unsigned core) {
    return core == tile::b_core ? memory::system_registers::soft_reset_of_b
                                : memory::system_registers::soft_reset_of_t0 << core;
}
/// The number of a core among the mailboxes.
constexpr unsigned mailbox_number(unsigned core) { return core == tile::b_core ? 0 : core + 1; }

/// Sets a variable for as long as this lives.
template <class T>
class restored_after {
public:
    restored_after(T& variable, T value) : variable_(variable), before_(variable) { variable = value; }
    ~restored_after() { variable_ = before_; }
    restored_after(const restored_after&) = delete;
    restored_after& operator=(const restored_after&) = delete;

private:
    T& variable_;
    T before_;
};

} // namespace

// --- lagging models ----------------------------------------------------------------------------------------

cycles all_front_ends::catch_up(const sc_core::sc_time& until) {
    if (now_ == activity::none) write_before(unit_.cycle_at(until));
    // A write that is done late is done in its own cycle all the same.
    const sc_core::sc_time end = now_ == activity::none ? until : writing_at_;
    if (now_ != activity::writes_between_words)
        for (frontend::front_end* member : members_) member->pass_on(end);
    return unit_.catch_up(end);
}

void all_front_ends::write_first() {
    tensorload::tensorload_engine& first = *first_to_write();
    writing_at_ = first.next_write_time();
    first.write_next();
}

/// Each write brings the front ends to its own cycle, by way of the memory that it goes to.
void all_front_ends::write_before(cycles end) {
    if (next() >= end) return;
    const restored_after<activity> during(now_, activity::brings_to_a_write);
    while (next() < end) write_first();
}

void all_front_ends::write_until(cycles at) {
    if (next() > at || now_ == activity::brings_to_a_write) return;
    const restored_after<activity> during(now_, activity::writes_between_words);
    while (next() <= at) write_first();
}

cycles all_front_ends::next() const {
    const tensorload::tensorload_engine* const first = first_to_write();
    return first ? first->next_write() : cycles{std::numeric_limits<std::int64_t>::max()};
}

/// The lowest core of those that write first.
tensorload::tensorload_engine* all_front_ends::first_to_write() const {
    const auto first = std::min_element(engines_.begin(), engines_.end(), [](const auto* a, const auto* b) {
        return a->next_write() < b->next_write();
    });
    return first == engines_.end() ? nullptr : *first;
}

void all_front_ends::hand_on_all() {
    for (frontend::front_end* member : members_) member->hand_on_all();
    write_before(cycles{std::numeric_limits<std::int64_t>::max()});
}

// --- construction ------------------------------------------------------------------------------------------

tile::parts::parts(tile& of, const parameters& wanted, socket_binder* by)
    : owner(of), binder(by), config(checked(wanted, of.name())), ports(initiators_of(config)),
      bus("bus", memory::tile_bus_regions(config, ports), ports.count(), inside_mask(ports)),
      l1("l1", memory::l1_bytes(config), l1_ports()), ram("ram", config.memory.ram_bytes),
      absent("absent", absent_spaces()), sfpu("sfpu", config.hart.count),
      scalar_words(
          sfpu, registers,
          [this](tlm::tlm_command command, std::uint64_t address, unsigned char* data, std::size_t bytes) {
              return debug_access(command, address, data, bytes);
          },
          [this](unsigned thread, cycles at) {
              return thread < cores.size() ? cores[thread]->front_end().first_word_from(at) : 0;
          }),
      turns(config.hart.b_core ? most_cores : config.hart.count),
      four_phases(nonblocking_port::make(
          [this](tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) { access(trans, delay); },
          [this](tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
              return owner.tsock->nb_transport_bw(trans, phase, delay);
          })) {
    sfpu.dst_load_isock().bind(dst.load_tsock);
    sfpu.dst_store_isock().bind(dst.store_tsock);
    bus.keep_inside({memory::tile_own_base, memory::tile_own_last});
    connect(bus.isock("l1"), l1.tsock(0));
    connect(bus.isock("ram"), ram.tsock);
    connect(bus.isock("config"), registers.config_tsock);
    connect(bus.isock("debug_registers"), registers.debug_tsock);
    connect(bus.isock("tile_control"), control.tsock);
    const auto& spaces = memory::spaces_not_modelled();
    for (std::size_t i = 0; i < spaces.size(); ++i) connect(bus.isock(spaces[i].name), absent.tsock(i));
    connect(bus.isock("mailboxes_b"), queues.mailboxes_tsock(0));
    connect(debug_isock, bus.tsock(ports.outside()));
    debug_isock.register_invalidate_direct_mem_ptr(this, &parts::invalidate_direct_mem_ptr);
    if (!stores_to_l1() && !ports.stores_by_bus) make_store_bus();
    make_cores();
    dst.attach(front_ends);
    connect_registers();
    bus.outside_isock.bind(owner.isock);
}

void tile::parts::connect_registers() {
    registers.attach(front_ends);
    memory::system_registers::connections wires;
    wires.instruction_buffer_status = [this](const sc_core::sc_time& at) {
        front_ends.catch_up(at);
        std::uint32_t all = ~0u;
        for (const auto& core : cores) all &= core->front_end().instruction_buffer_status(at);
        return all;
    };
    wires.thread_register = [this](unsigned thread, unsigned number) {
        // The space has room for more registers than are known.
        return number < isa::thread_state::register_count
                   ? sfpu.state().threads[thread].config_register(number)
                   : std::uint16_t{0};
    };
    const auto notify_at = [](sc_core::sc_event& event, const sc_core::sc_time& at) {
        const sc_core::sc_time now = sc_core::sc_time_stamp();
        event.notify(at > now ? at - now : sc_core::SC_ZERO_TIME);
    };
    wires.soft_reset_written = [this, notify_at](const sc_core::sc_time& at) {
        holds_asked |= registers.soft_reset();
        notify_at(processes->soft_reset_written, at);
    };
    wires.backend_changed = [this](unsigned bank, const isa::backend_configuration& to, cycles at) {
        scalar_words.change_backend(bank, to, at);
    };
    wires.upper_halves_changed = [this](bool are_meant) { dst.set_upper_halves(are_meant); };
    registers.connect(std::move(wires));
    control.connect(
        {[this](std::uint32_t word, const sc_core::sc_time& at) { end_by_exit(word, at); },
         [this, notify_at](const sc_core::sc_time& at) { notify_at(processes->control_written, at); }});
    queues.set_wait_until_idle([this](unsigned thread) { cores[thread]->front_end().wait_until_idle(); });
}

void tile::parts::make_cores() {
    const auto listen = [this](unsigned number) {
        run_listeners.push_back(std::make_unique<run_listener>(*this, number));
        hart(number).set_listener(run_listeners.back().get());
        hart(number).set_tensix_status(
            [this, number](unsigned csr, const sc_core::sc_time& at) { return status_of(number, csr, at); });
    };
    for (unsigned number = 0; number < config.hart.count; ++number) {
        cores.push_back(std::make_unique<tile_core>(
            config, tile_core_places{number, bus, sfpu, dst, registers, queues, semaphores, group, turns,
                                     l1.tsock(1 + number), stores_of(number), binder}));
        front_ends.add(cores.back()->front_end());
        cores.back()->share_dst(front_ends);
        scalar_words.add_thread(cores.back()->gprs());
        connect(bus.isock(fmt::format("pc_buffer_b_{}", number)), queues.pc_buffer_tsock(number));
        listen(number);
    }
    for (const auto& core : cores) core->attach_window(front_ends);
    if (!ports.has_b_core) return;
    for (const auto& core : cores) core->share(turns);
    b = std::make_unique<tile_b_core>(config, bus, ports.b_core(), b_core, binder);
    b->share(turns);
    group.threads.expect_others();
    for (unsigned thread = 0; thread < cores.size(); ++thread)
        connect(bus.isock(fmt::format("push_b_{}", thread)),
                cores[thread]->front_end().b_push_tsock); // behind its MOP expander
    listen(b_core);
}

/// What a T core reads of its own thread and of all. B has no thread: it reads what all have.
std::uint32_t tile::parts::status_of(unsigned core, unsigned csr, const sc_core::sc_time& at) {
    front_ends.catch_up(at);
    if (core == b_core) {
        std::uint32_t all = 0;
        for (const auto& each : cores) all |= each->front_end().status_csr(csr, at);
        return all;
    }
    std::uint32_t all = cores[core]->front_end().status_csr(csr, at);
    for (const auto& other : cores)
        all |= other->front_end().status_csr(csr, at) & frontend::front_end::all_threads_mask(csr);
    return all;
}

/// TL.STORE to raw Dst or to a memory of its own, at the addresses of that space.
void tile::parts::make_store_bus() {
    const tensorload_parameters& space = config.tensorload;
    store_bus = std::make_unique<memory::bus>(
        "store_bus",
        std::vector<memory::region>{{space.l0m_base, space.l0m_size, "l0m", "where TL.STORE goes"}},
        config.hart.count);
    if (tensorload::store_binding(config) == l0m_binding::dst) {
        connect(store_bus->isock("l0m"), dst.mem_tsock);
    } else {
        store_ram = std::make_unique<memory::ram>("store_ram", space.l0m_size);
        connect(store_bus->isock("l0m"), store_ram->tsock);
    }
}

tlm::tlm_target_socket<32>& tile::parts::stores_of(unsigned core) {
    if (stores_to_l1()) return l1.tsock(1 + config.hart.count + core);
    return ports.stores_by_bus ? bus.tsock(ports.engine(core)) : store_bus->tsock(core);
}

// --- reset -------------------------------------------------------------------------------------------------

void tile::parts::reset(const listeners& to) {
    const sc_core::sc_time period = period_of(config);
    heard_by = to;
    epoch = sc_core::sc_time_stamp();
    ++resets;
    sfpu.reset(config, {to.observer, to.diagnostics, to.hazards});
    probe::reporter* const reporter = &sfpu.state().reporter;
    dst.reset(config, reporter);
    registers.reset(config, reporter);
    scalar_words.reset(config);
    registers.set_soft_reset(memory::system_registers::soft_reset_of_cores);
    control.reset();
    absent.reset(config, reporter);
    queues.reset();
    bus.reset(cycles{config.memory.bus_latency}, period);
    l1.reset(config, to.observer);
    ram.reset(cycles{config.memory.ram_latency}, period);
    if (store_ram) store_ram->reset(cycles{}, period);
    semaphores.reset();
    for (const auto& core : cores) core->reset(config, reporter, to.observer);
    if (b) b->reset(config, reporter, to.observer);
    held.fill(true);
    tohost = fromhost = {};
    completions = {};
    upper_half_is_void = {};
    status = {};
    ended = false;
    limit = no_limit;
    for_each_core([&](unsigned core) {
        hart(core).publish_retired(to.retired, to.retired_from, to.retired_to);
        hart(core).core().watch_stores(0, 0);
        hart(core).set_cycle_limit(limit);
    });
    holds_asked = 0;
    done.cancel();
    processes->soft_reset_written.cancel();
    processes->control_written.notify(sc_core::SC_ZERO_TIME);
}

void tile::parts::start(unsigned core, std::uint32_t pc) {
    held[core] = false;
    if (ended) { // a run goes on
        ended = false;
        status = {};
    }
    status.now = tile_status::state::running;
    hart(core).set_cycle_limit(limit);
    hart(core).start(pc);
    watch(core);
}

/// The bits of SOFT_RESET_0 become true. A core whose bit was set and cleared again at once is reset all the
/// same.
void tile::parts::apply_soft_reset() {
    for_each_core([this](unsigned core) {
        const bool wanted = is_in_reset || (registers.soft_reset() & soft_reset_bit(core)) != 0;
        if ((wanted || (holds_asked & soft_reset_bit(core)) != 0) && !held[core]) hold(core);
        if (!wanted && held[core]) release(core);
    });
    holds_asked = 0;
}

void tile::parts::hold(unsigned core) {
    held[core] = true;
    hart(core).hold();
    if (core != b_core) cores[core]->front_end().discard_unexpanded();
    queues.core_reset_begins(mailbox_number(core));
    const bool all_held = std::all_of(held.begin(), held.end(), [](bool each) { return each; });
    if (all_held && !ended) status.now = tile_status::state::held;
}

void tile::parts::release(unsigned core) {
    if (core != b_core) queues.core_reset_ends(core);
    if (registers.clears_local_ram(core)) {
        if (core == b_core) b->clear_local_ram();
        else cores[core]->clear_local_ram();
    }
    start(core, core == b_core ? 0 : registers.start_address(core));
}

// --- how a program ends ------------------------------------------------------------------------------------

cycles tile::parts::cycle_at(const sc_core::sc_time& time) const {
    return cycles{static_cast<std::int64_t>((time - epoch).value() / period_of(config).value())};
}

void tile::parts::end_by_trap(unsigned core, const riscv::unhandled_trap& trap) {
    if (ended) return;
    status.now = tile_status::state::trapped;
    status.trap = trap;
    if (core != b_core) {
        const tensorload::tensorload_core& engine = cores[core]->engine();
        if (trap.has_instruction && engine.claims(trap.instruction)) status.trap_reason = engine.last_trap();
    }
    end(core, trap.at, true);
    hart(core).stop();
}

/// Whose access it is that a register of the tile's bus is given.
unsigned tile::parts::core_of(unsigned initiator) const {
    if (initiator < cores.size()) return initiator;
    return ports.has_b_core && initiator == ports.b_core() ? b_core : tile::outside;
}

void tile::parts::end_by_exit(std::uint32_t word, const sc_core::sc_time& time) {
    if (ended) return;
    status.now = tile_status::state::ended;
    status.exit_word = word;
    end(core_of(bus.initiator()), cycle_at(time), false);
}

void tile::parts::end(unsigned by, cycles at, bool stops_itself) {
    ended = true;
    status.core = by;
    // A hart whose turn it is not cannot be stopped, but it can be given an end.
    for_each_core([&](unsigned core) {
        if (core == by && stops_itself) return;
        hart(core).set_cycle_limit(at);
        if (core != b_core) cores[core]->front_end().forget_from(at);
    });
    const sc_core::sc_time now = sc_core::sc_time_stamp(),
                           then = epoch + period_of(config) * static_cast<double>(at.count());
    done.notify(then > now ? then - now : sc_core::SC_ZERO_TIME);
}

// --- memory ------------------------------------------------------------------------------------------------

/// What is loaded would be lost, or run in spite of the reset.
void tile::parts::check_no_reset() const {
    if (is_in_reset) throw load_error(fmt::format("{}: rst is active, expected it to be low", owner.name()));
}

void tile::parts::check_place(const riscv::elf_segment& segment, unsigned core) const {
    const memory::address_map& map = bus.map();
    const unsigned viewer = core == b_core ? ports.b_core() : core;
    const int index = map.find(segment.address, viewer);
    const auto describe = [&] {
        return fmt::format("segment of {} bytes at {:#010x}{}", segment.size, segment.address,
                           holds_file_header(segment)
                               ? ", which begins with the header of the file (link with -Wl,--nmagic or a "
                                 "linker script to leave that out)"
                               : "");
    };
    if (index == memory::address_map::none ||
        segment.size > map.regions()[static_cast<std::size_t>(index)].last() - segment.address + 1)
        throw load_error(
            fmt::format("{}: {}", describe(), map.explain(segment.address, segment.size, viewer)));
    const memory::region& place = map.regions()[static_cast<std::size_t>(index)];
    if (place.base != memory::local_ram_base && loadable_regions.count(place.name) == 0)
        throw load_error(fmt::format("{}: found {} there ({}), expected memory: l1, ram or local_ram",
                                     describe(), place.name, place.meaning));
}

void tile::parts::copy(const riscv::elf_image& program, unsigned core) {
    for (const riscv::elf_segment& segment : program.segments()) check_place(segment, core);
    for (const riscv::elf_segment& segment : program.segments()) {
        std::vector<unsigned char> bytes = segment.bytes;
        bytes.resize(segment.size);
        debug_access(tlm::TLM_WRITE_COMMAND, place_of(segment.address, core), bytes.data(), bytes.size());
    }
    tohost[core] = program.symbol("tohost");
    fromhost[core] = program.symbol("fromhost");
}

/// Moves what there is of a range, region by region; returns the number of bytes.
std::size_t tile::parts::debug_access(tlm::tlm_command command, std::uint64_t address, unsigned char* data,
                                      std::size_t count) {
    std::size_t done_bytes = 0;
    while (done_bytes < count) {
        tlm::tlm_generic_payload trans;
        trans.set_command(command);
        trans.set_address(address + done_bytes);
        trans.set_data_ptr(data + done_bytes);
        trans.set_data_length(static_cast<unsigned>(count - done_bytes));
        trans.set_streaming_width(static_cast<unsigned>(count - done_bytes));
        const unsigned moved = debug_isock->transport_dbg(trans);
        if (moved == 0) break;
        done_bytes += moved;
    }
    return done_bytes;
}

} // namespace sfpu
