#include <sfpu/platform/tile.h>

#include "tile_core.h"
#include "tile_counters.h"

#include <sfpu/memory/l1_memory.h>
#include <sfpu/memory/tile_map.h>
#include <sfpu/platform/simulate.h>
#include <sfpu/platform/unit_counters.h>
#include <sfpu/tensorload/timing.h>

#include <tlm_utils/simple_initiator_socket.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

namespace sfpu::platform {
namespace {

/// Regions that every core has for itself; the others are shared.
const std::set<std::string> core_regions{"local_ram", "mop_config", "dst_window", "instruction_push",
                                         "pc_buffer"};
/// Regions to which a program may be loaded.
const std::set<std::string> loadable_regions{"l1", "ram", "local_ram"};

/// GNU ld without a linker script puts the headers of the file, page by page, in front of the first section.
bool holds_file_header(const riscv::elf_segment& segment) {
    constexpr unsigned char magic[]{0x7f, 'E', 'L', 'F'};
    return segment.bytes.size() >= sizeof magic &&
           std::equal(std::begin(magic), std::end(magic), segment.bytes.begin());
}

/// The initiators of the bus: the harts, then debug accesses, then the engines, if their stores go by the bus.
struct bus_ports {
    unsigned cores;
    bool stores_by_bus;

    unsigned debug() const { return cores; }
    unsigned engine(unsigned core) const { return cores + 1 + core; }
    unsigned count() const { return cores + 1 + (stores_by_bus ? cores : 0); }
    /// Who sees what belongs to a core; debug accesses see what core 0 sees.
    memory::initiator_mask view_of(unsigned core) const {
        return 1u << core | 1u << engine(core) | (core == 0 ? 1u << debug() : 0u);
    }
};

/// What a tile is built from; the defaults if that is wrong and the report of it did not throw.
parameters checked(const parameters& wanted) {
    const std::vector<std::string> problems = wanted.problems();
    if (problems.empty()) return wanted;
    SC_REPORT_ERROR("/sfpu/parameters/invalid", fmt::format("tile: {}", fmt::join(problems, "; ")).c_str());
    return {};
}

std::vector<memory::region> regions_of(const parameters& config, const bus_ports& ports) {
    std::vector<memory::region> result;
    for (const memory::region& each : memory::tile_regions(config)) {
        if (core_regions.count(each.name) == 0) {
            result.push_back(each);
            continue;
        }
        for (unsigned core = 0; core < ports.cores; ++core) {
            result.push_back(each);
            result.back().visible_to = ports.view_of(core);
            if (core != 0) result.back().name += fmt::format("_{}", core);
        }
    }
    return result;
}

/// Brings the front ends of all cores to a time, and with them the vector unit.
class all_front_ends : public dst::lagging_model {
public:
    explicit all_front_ends(vector_unit& unit) : unit_(unit) {}
    void add(frontend::front_end& one) { members_.push_back(&one); }
    /// All hand on their words before the vector unit is brought there: that moves the watermarks of all its ports.
    cycles catch_up(const sc_core::sc_time& until) override {
        for (frontend::front_end* member : members_) member->pass_on(until);
        return unit_.catch_up(until);
    }

private:
    vector_unit& unit_;
    std::vector<frontend::front_end*> members_;
};

} // namespace

struct tile::parts {
    explicit parts(const parameters& wanted);

    /// Told by the hart of one core how the run ends.
    struct run_listener : riscv::hart_listener {
        parts& owner;
        unsigned core;
        run_listener(parts& tile, unsigned number) : owner(tile), core(number) {}
        void trapped(const riscv::unhandled_trap& trap) override { owner.end_by_trap(core, trap); }
        void watched_store(std::uint32_t, unsigned, std::uint32_t, cycles at) override {
            owner.end_by_tohost(core, at);
        }
    };

    // Construction.
    void make_cores();
    std::uint32_t status_of(unsigned core, unsigned csr, const sc_core::sc_time& at);
    void make_store_bus();
    bool stores_to_l1() const { return tensorload::store_binding(config) == l0m_binding::l1; }
    tlm::tlm_target_socket<32>& stores_of(unsigned core);
    /// One for the bus, then one for the loads of each engine, then one for the stores of each if they go to L1.
    unsigned l1_ports() const { return 1 + config.hart.count * (stores_to_l1() ? 2 : 1); }

    // A run and its end.
    void simulate_to_the_end();
    bool running() const;
    void end_by_trap(unsigned core, const riscv::unhandled_trap& trap);
    void end_by_tohost(unsigned core, cycles at);
    void end(unsigned core, cycles at);
    void find_hung_hart();

    // Memory.
    void check_place(const riscv::elf_segment& segment) const;
    std::size_t debug_access(tlm::tlm_command command, std::uint64_t address, unsigned char* data,
                             std::size_t count);

    parameters config;
    bus_ports ports;
    memory::bus bus;
    memory::l1_memory l1;
    memory::ram ram;
    memory::system_registers registers{"registers"};
    dst::dst_memory dst{"dst"};
    vector_unit sfpu;
    all_front_ends front_ends{sfpu};
    frontend::semaphore_bank semaphores;
    frontend::front_end_group group;
    riscv::hart_turns turns;
    std::unique_ptr<memory::bus> store_bus; ///< TL.STORE to a place that the tile's own bus does not show
    std::unique_ptr<memory::ram> store_ram;
    std::vector<std::unique_ptr<tile_core>> cores;
    std::vector<std::unique_ptr<run_listener>> run_listeners;
    tlm_utils::simple_initiator_socket<parts, 32> debug_isock{"debug_isock"};

    std::optional<std::uint32_t> tohost;
    tile_result result;
    bool ended = false;
    bool observed = false;
    std::function<bool()> stop;
};

tile::parts::parts(const parameters& wanted)
    : config(checked(wanted)), ports{config.hart.count, tensorload::stores_elements(config)},
      bus("bus", regions_of(config, ports), ports.count()), l1("l1", memory::l1_bytes(config), l1_ports()),
      ram("ram", config.memory.ram_bytes), sfpu("sfpu", config.hart.count), turns(config.hart.count) {
    sfpu.dst_load_isock().bind(dst.load_tsock);
    sfpu.dst_store_isock().bind(dst.store_tsock);
    bus.isock("l1").bind(l1.tsock(0));
    bus.isock("ram").bind(ram.tsock);
    bus.isock("config").bind(registers.config_tsock);
    bus.isock("debug_registers").bind(registers.debug_tsock);
    debug_isock.bind(bus.tsock(ports.debug()));
    if (!stores_to_l1() && !ports.stores_by_bus) make_store_bus();
    make_cores();
    dst.attach(front_ends);
    registers.attach(front_ends);
    registers.connect({[this](const sc_core::sc_time& at) {
                           front_ends.catch_up(at);
                           std::uint32_t status = ~0u;
                           for (const auto& core : cores)
                               status &= core->front_end().instruction_buffer_status(at);
                           return status;
                       },
                       [this](unsigned thread, unsigned number) {
                           return sfpu.lregs().threads[thread].config_register(number);
                       },
                       [this](unsigned state, const isa::backend_configuration& backend) {
                           for (isa::thread_state& thread : sfpu.lregs().threads)
                               thread.set_backend(state, backend);
                       }});
}

void tile::parts::make_cores() {
    for (unsigned number = 0; number < config.hart.count; ++number) {
        cores.push_back(std::make_unique<tile_core>(
            config, tile_core_places{number, bus, sfpu, dst, registers, semaphores, group, turns,
                                     l1.tsock(1 + number), stores_of(number)}));
        front_ends.add(cores.back()->front_end());
        run_listeners.push_back(std::make_unique<run_listener>(*this, number));
        cores.back()->hart().set_listener(run_listeners.back().get());
        cores.back()->hart().set_tensix_status(
            [this, number](unsigned csr, const sc_core::sc_time& at) { return status_of(number, csr, at); });
    }
    for (const auto& core : cores) core->attach_window(front_ends);
}

/// What a T core reads of its own thread and of all.
std::uint32_t tile::parts::status_of(unsigned core, unsigned csr, const sc_core::sc_time& at) {
    front_ends.catch_up(at);
    std::uint32_t status = cores[core]->front_end().status_csr(csr, at);
    for (const auto& other : cores)
        status |= other->front_end().status_csr(csr, at) & frontend::front_end::all_threads_mask(csr);
    return status;
}

/// TL.STORE to raw Dst or to a memory of its own, at the addresses of that space.
void tile::parts::make_store_bus() {
    const tensorload_parameters& space = config.tensorload;
    store_bus = std::make_unique<memory::bus>(
        "store_bus",
        std::vector<memory::region>{{space.l0m_base, space.l0m_size, "l0m", "where TL.STORE goes"}},
        config.hart.count);
    if (tensorload::store_binding(config) == l0m_binding::dst) {
        store_bus->isock("l0m").bind(dst.mem_tsock);
    } else {
        store_ram = std::make_unique<memory::ram>("store_ram", space.l0m_size);
        store_bus->isock("l0m").bind(store_ram->tsock);
    }
}

tlm::tlm_target_socket<32>& tile::parts::stores_of(unsigned core) {
    if (stores_to_l1()) return l1.tsock(1 + config.hart.count + core);
    return ports.stores_by_bus ? bus.tsock(ports.engine(core)) : store_bus->tsock(core);
}

// --- how a run ends ---------------------------------------------------------------------------------------------------

void tile::parts::end_by_trap(unsigned core, const riscv::unhandled_trap& trap) {
    if (ended) return;
    result.why = tile_result::outcome::trapped;
    result.trap = trap;
    const tensorload::tensorload_core& engine = cores[core]->engine();
    if (trap.has_instruction && engine.claims(trap.instruction)) result.trap_reason = engine.last_trap();
    end(core, trap.at);
}

void tile::parts::end_by_tohost(unsigned core, cycles at) {
    std::array<unsigned char, 4> bytes{};
    debug_access(tlm::TLM_READ_COMMAND, *tohost, bytes.data(), bytes.size());
    std::memcpy(&result.tohost, bytes.data(), bytes.size());
    if (ended || result.tohost == 0) return;
    result.why = tile_result::outcome::ended;
    end(core, at);
}

void tile::parts::end(unsigned core, cycles at) {
    ended = true;
    result.hart = core;
    cores[core]->hart().stop();
    for (const auto& other :
         cores) // a hart that is not its turn cannot be stopped, but it can be given an end
        if (other != cores[core]) {
            other->hart().set_cycle_limit(at);
            other->front_end().forget_from(at);
        }
}

bool tile::parts::running() const {
    return std::any_of(cores.begin(), cores.end(), [](const auto& core) {
        return core->hart().state() == riscv::hart::outcome::running;
    });
}

/// A hart that still runs though nothing is left to happen sleeps inside an access.
void tile::parts::find_hung_hart() {
    if (ended) return;
    for (unsigned number = 0; number < cores.size(); ++number) {
        if (cores[number]->hart().state() != riscv::hart::outcome::running) continue;
        result.why = tile_result::outcome::hung;
        result.hart = number;
        return;
    }
}

/// Lagging models need no help to be right, but observers would hear of their events late.
void tile::parts::simulate_to_the_end() {
    if (!observed && !stop) {
        simulate(); // until all harts have stopped
        return;
    }
    const cycles between = observed ? longest_lag : cycles{1 << 20};
    const sc_core::sc_time step = period_of(config) * static_cast<double>(between.count());
    while (running() && sc_core::sc_pending_activity()) {
        simulate(step);
        if (observed) front_ends.catch_up(sc_core::sc_time_stamp());
        if (!ended && stop && stop()) {
            result.why = tile_result::outcome::interrupted;
            ended = true;
            return;
        }
    }
}

// --- memory -----------------------------------------------------------------------------------------------------------

void tile::parts::check_place(const riscv::elf_segment& segment) const {
    const memory::address_map& map = bus.map();
    const int index = map.find(segment.address, ports.debug());
    const auto describe = [&] {
        return fmt::format("segment of {} bytes at {:#010x}{}", segment.size, segment.address,
                           holds_file_header(segment)
                               ? ", which begins with the header of the file (link with -Wl,--nmagic or a "
                                 "linker script to leave that out)"
                               : "");
    };
    if (index == memory::address_map::none ||
        segment.size > map.regions()[index].last() - segment.address + 1)
        throw load_error(
            fmt::format("{}: {}", describe(), map.explain(segment.address, segment.size, ports.debug())));
    const memory::region& place = map.regions()[static_cast<std::size_t>(index)];
    if (loadable_regions.count(place.name) == 0)
        throw load_error(fmt::format("{}: found {} there ({}), expected memory: l1, ram or local_ram",
                                     describe(), place.name, place.meaning));
}

/// Moves what there is of a range, region by region; returns the number of bytes.
std::size_t tile::parts::debug_access(tlm::tlm_command command, std::uint64_t address, unsigned char* data,
                                      std::size_t count) {
    std::size_t done = 0;
    while (done < count) {
        tlm::tlm_generic_payload trans;
        trans.set_command(command);
        trans.set_address(address + done);
        trans.set_data_ptr(data + done);
        trans.set_data_length(static_cast<unsigned>(count - done));
        trans.set_streaming_width(static_cast<unsigned>(count - done));
        const unsigned moved = debug_isock->transport_dbg(trans);
        if (moved == 0) break;
        done += moved;
    }
    return done;
}

// --- the tile ---------------------------------------------------------------------------------------------------------

tile::tile(const sc_core::sc_module_name& name, const parameters& config)
    : sc_module(name), parts_(std::make_unique<parts>(config)) {}
tile::~tile() = default;

void tile::reset(const tile_listeners& to) {
    parts& p = *parts_;
    const sc_core::sc_time period = period_of(p.config);
    p.sfpu.reset(p.config, {to.observer, to.diagnostics, to.hazards});
    probe::reporter* const reporter = &p.sfpu.lregs().reporter;
    p.dst.reset(p.config, reporter);
    p.registers.reset(p.config, reporter);
    p.bus.reset(cycles{p.config.memory.bus_latency}, period);
    p.l1.reset(p.config, to.observer);
    p.ram.reset(cycles{p.config.memory.ram_latency}, period);
    if (p.store_ram) p.store_ram->reset(cycles{}, period);
    p.semaphores.reset();
    for (const auto& core : p.cores) {
        core->reset(p.config, reporter, to.observer);
        core->hart().publish_retired(to.retired);
    }
    p.tohost.reset();
    p.result = {};
    p.ended = false;
    p.observed = to.observer != nullptr;
    p.stop = to.stop;
}

void tile::load(const riscv::elf_image& program) {
    parts& p = *parts_;
    for (const riscv::elf_segment& segment : program.segments()) p.check_place(segment);
    for (const riscv::elf_segment& segment : program.segments()) {
        std::vector<unsigned char> bytes = segment.bytes;
        bytes.resize(segment.size);
        write(segment.address, bytes.data(), bytes.size());
    }
    p.tohost = program.symbol("tohost");
    for (const auto& core : p.cores) {
        core->hart().core().set_pc(program.entry());
        if (p.tohost) core->hart().core().watch_stores(*p.tohost, 4);
    }
}

tile_result tile::run(cycles limit) {
    parts& p = *parts_;
    for (const auto& core : p.cores) core->hart().set_cycle_limit(limit);
    p.simulate_to_the_end();
    p.find_hung_hart();

    const tile_core& last = *p.cores[p.result.hart];
    p.result.pc = last.hart().core().pc() - (p.result.why == tile_result::outcome::hung ? 4 : 0);
    p.result.cycles_run = last.hart().core().now();
    for (const auto& core : p.cores) core->front_end().hand_on_all();
    p.sfpu.drain();
    p.dst.settle();
    p.result.last_cycle = std::max(p.result.cycles_run, p.sfpu.now()) - one_cycle;
    return p.result;
}

void tile::set_longest_push(unsigned words) {
    for (const auto& core : parts_->cores) core->hart().set_longest_push(words);
}

bool tile::read(std::uint32_t address, unsigned char* data, std::size_t count) {
    return parts_->debug_access(tlm::TLM_READ_COMMAND, address, data, count) == count;
}

bool tile::write(std::uint32_t address, const unsigned char* data, std::size_t count) {
    // A payload's data cannot be const; a write leaves them alone.
    return parts_->debug_access(tlm::TLM_WRITE_COMMAND, address, const_cast<unsigned char*>(data), count) ==
           count;
}

dst_image tile::dst() const {
    dst_image image{};
    for (unsigned row = 0; row < dst::row_count; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            image[row][column] = parts_->dst.storage().cell(row, column);
    return image;
}

const memory::address_map& tile::map() const { return parts_->bus.map(); }

probe::unit_counters tile::vector_unit_counters() const { return counters_of(parts_->sfpu, parts_->dst); }

std::uint64_t tile::hart_instructions() const {
    std::uint64_t sum = 0;
    for (const auto& core : parts_->cores) sum += core->hart().core().counters().instructions;
    return sum;
}

std::vector<probe::counter_group> tile::counters() const {
    std::vector<probe::counter_group> groups;
    const auto add = [&groups](probe::counter_group group, std::size_t core) {
        if (core != 0) group.name += std::to_string(core);
        groups.push_back(std::move(group));
    };
    for (std::size_t i = 0; i < parts_->cores.size(); ++i) {
        const tile_core& core = *parts_->cores[i];
        add(hart_counters(core.hart().core()), i);
        add(front_end_counters(core.front_end()), i);
        add(tensorload_counters(core.engine()), i);
    }
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
    add(tile_unit::tensorload, 0, {"issue", "load", "compute", "store", "reshape"});
    for (unsigned port = 0; port < parts_->l1_ports(); ++port)
        add(tile_unit::memory, port, {"l1", "l1_conflict"});
    return lanes;
}

} // namespace sfpu::platform
