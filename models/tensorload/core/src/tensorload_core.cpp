#include <sfpu/tensorload/tensorload_core.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::tensorload {

struct tensorload_core::pending {
    instruction insn;
    sub_engine engine{};
    cycles offered{};
    placement where;
    std::uint64_t bytes = 0;
};

tensorload_core::tensorload_core(memory_access& memory) : memory_(memory) { reset(parameters{}); }

void tensorload_core::reset(const parameters& config, probe::pipeline_observer* observer) {
    config_ = config;
    observer_ = observer;
    const std::uint32_t pattern = config.tensorload.reset_pattern;
    for (tensor_register& tensor : registers_)
        for (unsigned i = 0; i < register_bytes; ++i)
            tensor[i] = static_cast<unsigned char>(pattern >> i % 4 * 8);
    registers_[0].fill(0);
    csrs_.reset(config.tensorload);
    schedule_.reset(config.tensorload.queue_depth);
    counters_ = {};
    traps_ = bus_errors_ = flow_ = 0;
    last_trap_.clear();
    last_placement_ = {};
    last_cost_ = {};
}

void tensorload_core::set_tensor(unsigned number, const tensor_register& value) {
    if (number % register_count != 0) registers_[number % register_count] = value;
}

unsigned tensorload_core::scalar_operand(std::uint32_t word) const {
    const std::optional<instruction> insn = decode(word, config_.tensorload);
    return insn && insn->has_scalar() ? insn->scalar : 0;
}

// --- issue ----------------------------------------------------------------------------------------------

riscv::coprocessor_answer tensorload_core::issue(std::uint32_t word, std::uint32_t scalar, cycles at) {
    const std::optional<instruction> insn = decode(word, config_.tensorload);
    if (!insn) return refuse(word, {refusal::undefined_encoding});
    riscv::coprocessor_answer answer;
    answer.next = at + one_cycle;
    if (insn->is_no_op()) return answer;

    pending what;
    what.insn = *insn;
    what.offered = at;
    what.engine = config_.tensorload.engine_id == engine_id_use::route
                      ? static_cast<sub_engine>(insn->engine_id)
                      : natural_engine(insn->op);
    const checked<cost> done = execute(what, scalar);
    if (const trap* why = std::get_if<trap>(&done)) return refuse(word, *why);
    const cost& needs = std::get<cost>(done);
    schedule_.commit(what.engine, what.where, needs, insn->sources(), insn->destinations());
    account(what, needs);
    if (observer_) publish(what, needs);
    answer.next = what.where.issued + one_cycle;
    return answer;
}

riscv::coprocessor_answer tensorload_core::refuse(std::uint32_t word, const trap& why) {
    ++traps_;
    last_trap_ = describe(why.why);
    riscv::coprocessor_answer answer;
    answer.result = riscv::coprocessor_answer::outcome::trap;
    answer.cause = cause_of(why.why);
    const bool is_fault = why.why == refusal::load_fault || why.why == refusal::store_fault;
    answer.value = is_fault ? why.address : word;
    return answer;
}

void tensorload_core::place(pending& what) const {
    what.where = schedule_.place(what.engine, what.offered, what.insn.sources(), what.insn.destinations());
}

checked<cost> tensorload_core::execute(pending& what, std::uint32_t scalar) {
    switch (what.insn.op) {
    case operation::load:
    case operation::mload: return execute_load(what, scalar);
    case operation::store:
    case operation::mstore: return execute_store(what, scalar);
    case operation::addi: return execute_addi(what);
    case operation::concat: return execute_concat(what);
    case operation::merge: return execute_merge(what);
    case operation::xpose: break;
    }
    return execute_xpose(what, scalar);
}

// --- memory ---------------------------------------------------------------------------------------------

checked<cost> tensorload_core::execute_load(pending& what, std::uint32_t base) {
    const auto result = check_transfer(what.insn, csrs_, base, load_space(config_), config_.tensorload);
    if (const trap* why = std::get_if<trap>(&result)) return *why;
    const transfer_plan& plan = std::get<transfer_plan>(result);
    place(what);

    tensor_register data = registers_[what.insn.destination];
    const unsigned loaded = plan.slices * plan.width;
    const bool clear_tail = config_.tensorload.tail == load_tail::zero;
    std::fill_n(data.begin(), clear_tail ? register_bytes : loaded, static_cast<unsigned char>(0));
    const std::vector<beat> beats = load_beats(plan, config_);
    if (!memory_.begin(what.offered)) return load_cost(beats, config_);
    const cycles extra = move(what, beats, false, [&](const beat& part, cycles at) {
        unsigned char* place_of = data.data() + part.register_byte;
        const memory_access::answer answer = memory_.read(part.offset, place_of, part.bytes, at);
        if (!answer.ok) std::fill_n(place_of, part.bytes, static_cast<unsigned char>(0));
        return answer;
    });
    set_tensor(what.insn.destination, data);
    return load_cost(beats, config_) + extra;
}

checked<cost> tensorload_core::execute_store(pending& what, std::uint32_t base) {
    const std::optional<element_type> type = element_type_of(csrs_.ttype, config_.tensorload);
    const memory_space space = store_space(config_, type ? type->bits : 8);
    const auto result = check_transfer(what.insn, csrs_, base, space, config_.tensorload);
    if (const trap* why = std::get_if<trap>(&result)) return *why;
    place(what);

    const tensor_register& data = registers_[what.insn.a];
    const std::vector<beat> beats = store_beats(std::get<transfer_plan>(result), config_);
    cost needs = store_cost(beats, config_);
    if (!memory_.begin(what.offered)) return needs;
    const bool is_pipelined = store_binding(config_) == l0m_binding::dst;
    const cycles extra = move(what, beats, is_pipelined, [&](const beat& part, cycles at) {
        return memory_.write(part.offset, data.data() + part.register_byte, part.bytes, at);
    });
    needs.latency += extra;
    if (!is_pipelined) needs.occupancy += extra;
    return needs;
}

/// Accesses the memory for each beat, in order. Returns the cycles that the memory added. `is_pipelined`:
/// those of one beat do not delay the next.
template <class Access>
cycles tensorload_core::move(pending& what, const std::vector<beat>& beats, bool is_pipelined,
                             Access access) {
    cycles at = what.where.start + cycles{config_.tensorload.decode};
    cycles extra{};
    for (const beat& part : beats) {
        const memory_access::answer answer = access(part, at);
        if (!answer.ok) ++bus_errors_;
        at += part.duration;
        if (is_pipelined) {
            extra = std::max(extra, answer.delayed);
        } else {
            at += answer.delayed;
            extra += answer.delayed;
        }
        what.bytes += part.bytes;
    }
    counters_[static_cast<unsigned>(what.engine)].memory += static_cast<std::uint64_t>(extra.count());
    return extra;
}

// --- registers ------------------------------------------------------------------------------------------

checked<cost> tensorload_core::execute_addi(pending& what) {
    const auto result = check_addi(csrs_, config_.tensorload);
    if (const trap* why = std::get_if<trap>(&result)) return *why;
    place(what);
    set_tensor(what.insn.destination,
               add(registers_[what.insn.a], what.insn.immediate, std::get<add_plan>(result)));
    what.bytes = register_bytes;
    return compute_cost(what.bytes, 1, config_.tensorload);
}

checked<cost> tensorload_core::execute_concat(pending& what) {
    const auto result = check_concat(what.insn, csrs_, config_.tensorload);
    if (const trap* why = std::get_if<trap>(&result)) return *why;
    const concat_plan& plan = std::get<concat_plan>(result);
    place(what);
    tensor_register data = registers_[what.insn.destination];
    concatenate(data, registers_[what.insn.a], registers_[what.insn.b], plan);
    set_tensor(what.insn.destination, data);
    what.bytes = plan.to.bytes();
    return compute_cost(what.bytes, 2, config_.tensorload);
}

checked<cost> tensorload_core::execute_merge(pending& what) {
    const auto result = check_merge(what.insn, csrs_, config_.tensorload);
    if (const trap* why = std::get_if<trap>(&result)) return *why;
    const merge_plan& plan = std::get<merge_plan>(result);
    place(what);
    tensor_register data = registers_[what.insn.destination];
    tensorload::merge(data, registers_[what.insn.a], registers_[what.insn.b], plan);
    set_tensor(what.insn.destination, data);
    what.bytes = plan.shape.bytes();
    return compute_cost(what.bytes, 2, config_.tensorload);
}

checked<cost> tensorload_core::execute_xpose(pending& what, std::uint32_t dimensions) {
    const auto result = check_xpose(what.insn, csrs_, dimensions, config_.tensorload);
    if (const trap* why = std::get_if<trap>(&result)) return *why;
    const xpose_plan& plan = std::get<xpose_plan>(result);
    place(what);
    const std::vector<std::uint16_t> from = gather(plan);
    tensor_register low = registers_[what.insn.a], high = registers_[what.insn.b];
    transpose(low, high, from, plan.element_bits);
    set_tensor(what.insn.a, low);
    set_tensor(what.insn.b, high);
    what.bytes = 2 * register_bytes;
    return xpose_cost(from, plan.element_bits, config_.tensorload);
}

// --- CSRs -----------------------------------------------------------------------------------------------

bool tensorload_core::read_csr(unsigned number, cycles at, std::uint32_t& value) {
    if (number != csr::tl_status) return csrs_.read(number, value);
    value = 0;
    for (unsigned engine = 0; engine < sub_engine_count; ++engine)
        if (schedule_.busy(static_cast<sub_engine>(engine), at)) value |= 1u | 2u << engine;
    if (bus_errors_ != 0) value |= 1u << 8;
    value |= csrs_.valid_bits() << 16;
    return true;
}

bool tensorload_core::write_csr(unsigned number, cycles, std::uint32_t value) {
    return csrs_.write(number, value);
}

// --- listeners ------------------------------------------------------------------------------------------

void tensorload_core::account(const pending& what, const cost& needs) {
    const auto count = [](cycles length) { return static_cast<std::uint64_t>(length.count()); };
    engine_counters& engine = counters_[static_cast<unsigned>(what.engine)];
    ++engine.instructions;
    ++flow_;
    engine.busy += count(needs.occupancy);
    engine.bytes += what.bytes;
    engine.queue_full += count(what.where.issued - what.offered);
    engine.waited += count(what.where.start - what.where.free);
    last_placement_ = what.where;
    last_cost_ = needs;
}

void tensorload_core::publish(const pending& what, const cost& needs) {
    const std::string line = text(what.insn);
    const auto act = [&](cycles begin, cycles end, const char* lane, const char* kind) {
        if (begin == end) return;
        observer_->acted({begin, end - one_cycle, probe::tile_unit::tensorload, 0, lane, kind, line, flow_});
    };
    const placement& where = what.where;
    const char* lane = to_string(what.engine);
    act(what.offered, where.issued, "issue", "queue_full");
    act(where.free, where.start, lane, "register");
    act(where.start, where.start + needs.occupancy, lane, "busy");
}

} // namespace sfpu::tensorload
