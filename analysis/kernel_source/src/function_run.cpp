#include "function_run.h"

#include "core_memory.h"
#include "word_expander.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/memory/tile_map.h>
#include <sfpu/riscv/hart_core.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace sfpu::analysis {
namespace {

// Register numbers of the calling convention.
constexpr unsigned return_address_register = 1, stack_pointer = 2, global_pointer = 3, first_argument = 10,
                   argument_registers = 8;
constexpr std::uint32_t stack_alignment = 16;
constexpr cycles slice{1 << 16}; ///< between two looks at limits
constexpr unsigned math_core = 1;

std::optional<std::uint32_t> integer_argument(const std::string& text) {
    if (text == "true") return 1;
    if (text == "false") return 0;
    std::string digits = text;
    while (!digits.empty() && std::strchr("uUlL", digits.back())) digits.pop_back();
    if (digits.empty()) return std::nullopt;
    errno = 0;
    char* end = nullptr;
    const long long value = std::strtoll(digits.c_str(), &end, 0);
    if (errno != 0 || *end != '\0' || std::isspace(static_cast<unsigned char>(digits.front())))
        return std::nullopt;
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::uint32_t>::max())
        return std::nullopt;
    return static_cast<std::uint32_t>(value);
}

std::optional<std::uint32_t> float_argument(const std::string& text) {
    std::string digits = text;
    if (!digits.empty() && (digits.back() == 'f' || digits.back() == 'F')) digits.pop_back();
    if (digits.find('.') == std::string::npos || std::isspace(static_cast<unsigned char>(digits.front())))
        return std::nullopt;
    char* end = nullptr;
    const float value = std::strtof(digits.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value)) return std::nullopt;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

std::vector<std::uint32_t> argument_values(const std::vector<std::string>& texts) {
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        auto value = integer_argument(texts[i]);
        if (!value) value = float_argument(texts[i]);
        if (!value)
            throw user_error(fmt::format("--args: argument {} is '{}', expected an integer of 32 bits, true, "
                                         "false or a number with a point, which becomes FP32",
                                         i + 1, shortened(texts[i])));
        values.push_back(*value);
    }
    return values;
}

/// One hart, its memory and what it pushes.
class function_runner {
public:
    function_runner(const riscv::elf_image& image, const parameters& config, const session& caller,
                    place_namer name)
        : notes_(std::move(name)), image_(image), caller_(caller), backend_(config, notes_),
          front_end_(config, backend_, notes_), memory_(image, config, front_end_, backend_, notes_),
          core_(memory_, &memory_, nullptr) {
        memory_.attach(core_);
        core_.reset(config, {math_core, 0, false});
        stack_ = static_cast<std::uint32_t>(memory::local_ram_base + memory::local_ram_bytes(config));
    }

    void call(std::uint32_t entry, const std::vector<std::uint32_t>& arguments);
    function_run result(bool assumes_semaphores);

private:
    void set_up(std::uint32_t entry, const std::vector<std::uint32_t>& arguments);
    void check_limits(std::uint32_t entry) const;
    [[noreturn]] void refuse_trap(std::uint32_t entry) const;

    run_notes notes_;
    const riscv::elf_image& image_;
    const session& caller_;
    thread_backend backend_;
    word_expander front_end_;
    core_memory memory_;
    riscv::hart_core core_;
    std::uint32_t stack_ = 0;
    std::int64_t cycles_ = 0; ///< of the calls before
};

void function_runner::set_up(std::uint32_t entry, const std::vector<std::uint32_t>& arguments) {
    for (unsigned i = 1; i < 32; ++i) core_.set_reg(i, 0);
    const std::size_t in_registers = std::min<std::size_t>(arguments.size(), argument_registers);
    for (unsigned i = 0; i < in_registers; ++i) core_.set_reg(first_argument + i, arguments[i]);
    const auto on_stack = static_cast<std::uint32_t>(arguments.size() - in_registers);
    const std::uint32_t top = (stack_ - 4 * on_stack) & ~(stack_alignment - 1);
    for (std::uint32_t i = 0; i < on_stack; ++i)
        memory_.ram().store(top + 4 * i, 4, arguments[in_registers + i]);
    core_.set_reg(stack_pointer, top);
    core_.set_reg(return_address_register, return_place);
    if (const auto pointer = image_.symbol("__global_pointer$")) core_.set_reg(global_pointer, *pointer);
    core_.forget_code(); // where it returned from the last one
    core_.set_pc(entry);
    memory_.run_again();
}

void function_runner::call(std::uint32_t entry, const std::vector<std::uint32_t>& arguments) {
    set_up(entry, arguments);
    const cycles begin = core_.now();
    for (;;) {
        const riscv::run_result how = core_.run(core_.now() + slice);
        if (memory_.returned()) break;
        check_limits(entry);
        if (how == riscv::run_result::trapped) refuse_trap(entry);
        if (how == riscv::run_result::waiting)
            throw user_error(
                fmt::format("{}: waits for an interrupt, which never comes", notes_.place(core_.pc() - 4)));
    }
    cycles_ += (*memory_.returned() - begin).count();
}

void function_runner::check_limits(std::uint32_t entry) const {
    const auto counted = [&](const std::string& what) {
        return user_error(fmt::format("the function at {} does not return: {}; it is at {}",
                                      notes_.place(entry), what, notes_.place(core_.pc())));
    };
    if (backend_.is_full())
        throw counted(fmt::format("it has pushed more than {} words", thread_backend::most_words - 1));
    if (core_.counters().instructions > most_instructions)
        throw counted(fmt::format("it has executed more than {} instructions", most_instructions));
    if (caller_.is_over()) throw counted("the run was interrupted");
}

void function_runner::refuse_trap(std::uint32_t entry) const {
    const riscv::unhandled_trap& trap = core_.trap();
    if (trap.cause == riscv::cause::fetch_fault)
        throw user_error(fmt::format("the function at {} goes on at {:#010x}, where the program has no code",
                                     notes_.place(entry), trap.mtval));
    std::string why;
    if (trap.cause == riscv::cause::illegal_instruction)
        why = "; expected RV32IM (with Zaamo, Zba and Zbb on Blackhole) and Tensix words";
    if (trap.cause == riscv::cause::misaligned_fetch) why = "; compressed code is not for these cores";
    throw user_error(fmt::format("{}: {}, value {:#010x}{}", notes_.place(trap.mepc),
                                 riscv::cause_text(trap.cause), trap.mtval, why));
}

function_run function_runner::result(bool assumes_semaphores) {
    if (notes_.has_waits() && !assumes_semaphores)
        throw user_error("the function waits for others, which do not run here; --assume semaphores answers "
                         "them:\n" +
                         notes_.waits_text("  "));
    function_run run;
    run.core.cycles = cycles_;
    run.core.instructions = core_.counters().instructions;
    run.core.pushes = front_end_.pushes();
    run.core.words = backend_.times();
    run.kernel.words = std::move(backend_.words());
    run.kernel.settings = backend_.settings();
    notes_.tell(run.kernel.told);
    backend_.tell(run.kernel.told);
    return run;
}

/// Where the core may be late matters to macros, whose delays count instructions. A kernel without them says
/// nothing of it, which means: everywhere.
void forget_gaps_without_macros(std::vector<pushed_word>& words) {
    const bool has_macros = std::any_of(words.begin(), words.end(), [](const pushed_word& each) {
        return each.word >> 24 == isa::opcode::sfploadmacro;
    });
    if (has_macros) return;
    for (pushed_word& each : words) each.gap = false;
}

} // namespace

function_run trace_functions(const riscv::elf_image& image, const std::vector<std::uint32_t>& entries,
                             const source_request& request, const machine_choice& machine,
                             const session& caller, const place_namer& name) {
    const std::vector<std::uint32_t> arguments = argument_values(request.arguments);
    const parameters config = resolved_configuration(machine);
    function_runner runner(image, config, caller, name);
    for (std::size_t i = 0; i < entries.size(); ++i)
        runner.call(entries[i], i + 1 == entries.size() ? arguments : std::vector<std::uint32_t>{});
    function_run run = runner.result(request.assume_semaphores);
    forget_gaps_without_macros(run.kernel.words);
    return run;
}

pushed_kernel run_function(const riscv::elf_image& image, std::uint32_t entry, const source_request& request,
                           const machine_choice& machine, const session& caller) {
    return trace_functions(image, {entry}, request, machine, caller).kernel;
}

} // namespace sfpu::analysis
