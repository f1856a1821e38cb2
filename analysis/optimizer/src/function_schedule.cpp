#include <sfpu/analysis/function_schedule.h>

#include "followed_parameters.h"
#include "given_kernel.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/llk_header.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sfpu::analysis {
namespace {

/// Bits of a parameter's type that this library gives values; nothing for types that it does not.
std::optional<unsigned> width_of(const std::string& type) {
    static constexpr const char* wide[] = {"int",           "unsigned",     "unsigned int",
                                           "uint",          "int32_t",      "uint32_t",
                                           "std::uint32_t", "std::int32_t", "::uint32_t"};
    static constexpr const char* narrow[] = {"uint16_t", "std::uint16_t", "unsigned short"};
    const auto is_among = [&](const auto& names) {
        return std::find(std::begin(names), std::end(names), type) != std::end(names);
    };
    if (is_among(wide)) return 32;
    if (is_among(narrow)) return 16;
    return std::nullopt;
}

/// Values with which a function is recorded: no half is that of another parameter, or one that a kernel says
/// by itself. The upper bit is off, as a SHORT keeps it.
struct recorded_values {
    std::uint32_t of_first, next_parameter; ///< other steps, so that no two parameters change alike
};
constexpr recorded_values first_values{0x3b715ac3, 0x02150127}, second_values{0x46e937d5, 0x10b70351},
    small_values{2, 1}, next_small_values{3, 2};

/// Values that tell numbers of all kinds apart.
constexpr std::uint32_t compared_values[] = {0,          1,          0x80000000, 0x3f800000,
                                             0xbf800000, 0xffffffff, 0x7f800000, 0xff800001,
                                             0x00008000, 0xc2a71234, 0x7fffffff};

class scheduled_function {
public:
    scheduled_function(const function_request& request, const session& caller)
        : request_(request), caller_(caller) {
        if (request_.arguments.size() != request_.parameters.size())
            throw user_error(fmt::format("{}: found {} arguments in the recorded call, expected {}", name(),
                                         request_.arguments.size(), request_.parameters.size()));
        for (std::size_t i = 0; i < request_.parameters.size(); ++i) {
            const std::string& type = request_.parameters[i].type;
            const bool may = i >= request_.fixed && width_of(type).has_value();
            is_free_.push_back(may);
            if (i >= request_.fixed && !may)
                throw user_error(fmt::format("{}: parameter {} is of type {}, expected an integer of 32 bits "
                                             "or uint16_t; --args gives it a value to stay",
                                             name(), request_.parameters[i].name, type));
        }
    }

    optimize_answer run() {
        if (std::none_of(is_free_.begin(), is_free_.end(), [](bool each) { return each; }))
            return optimize(request_.schedule, caller_);
        const isa::kernel small = expect_same_length();
        const parameter_bits one = values(first_values), other = values(second_values);
        const std::string text = request_.record(arguments(one));
        const isa::kernel first = kernel_of(text), second = kernel_of(request_.record(arguments(other)));
        followed_ = followed_with_place([&] { return followed_words(second, other, first, one, is_free_); });
        expect_same_results(first, small);
        optimize_request with = request_.schedule;
        with.text = text;
        with.llk_header = true;
        optimize_answer answer = optimize(with, caller_);
        if (answer.schedule.empty()) return answer;
        const isa::kernel schedule = kernel_of(answer.schedule);
        const std::vector<followed_word> in_schedule = words_with_values(schedule, followed_, one);
        compare_for_all_kinds(first, schedule, in_schedule);
        write_header(answer, schedule, in_schedule);
        answer.schedule = remark(one) + answer.schedule;
        return answer;
    }

private:
    std::string name() const { return shown_name(request_.schedule.name); }
    isa::kernel kernel_of(const std::string& text) const {
        return assemble_kernel(text, request_.schedule.name, request_.schedule.machine);
    }

    parameter_bits values(recorded_values which) const {
        parameter_bits found;
        for (std::size_t i = 0; i < is_free_.size(); ++i) {
            const bool narrow = width_of(request_.parameters[i].type) == 16u;
            const std::uint32_t value =
                (which.of_first + static_cast<std::uint32_t>(i) * which.next_parameter) & 0x7fff7fffu;
            found.push_back(narrow ? value & 0xffffu : value);
        }
        return found;
    }
    std::vector<std::string> arguments(const parameter_bits& of) const {
        std::vector<std::string> found = request_.arguments;
        for (std::size_t i = 0; i < found.size(); ++i)
            if (is_free_[i]) found[i] = fmt::format("{:#x}", of[i]);
        return found;
    }

    /// Small numbers first: a parameter that counts would else count to a thousand million.
    isa::kernel expect_same_length() const {
        const parameter_bits one = values(small_values), other = values(next_small_values);
        const isa::kernel first = kernel_of(request_.record(arguments(one))),
                          second = kernel_of(request_.record(arguments(other)));
        followed_with_place([&] { return followed_words(first, one, second, other, is_free_); });
        return first;
    }
    /// What two recordings say of the immediates must be true for a third, whose words may be others.
    void expect_same_results(const isa::kernel& recorded, const isa::kernel& small) const {
        platform::core_runner runner;
        equivalence_options how;
        how.prove = true;
        const isa::kernel computed = with_values(recorded, followed_, values(small_values));
        if (!compare(runner, small, computed, request_.schedule.machine, std::nullopt, how).equal)
            throw user_error(fmt::format("{}: immediates follow {} in another way than as halves, with a "
                                         "constant added or subtracted; "
                                         "--args gives parameters that are to stay as they are",
                                         name(), free_names()));
    }
    template <class Find>
    std::vector<followed_word> followed_with_place(const Find& find) const {
        try {
            return find();
        } catch (const user_error& error) {
            throw user_error(fmt::format("{}: its parameters ({}): {}", name(), free_names(), error.what()));
        }
    }
    std::string free_names() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < is_free_.size(); ++i)
            if (is_free_[i]) names.push_back(request_.parameters[i].name);
        return fmt::format("{}", fmt::join(names, ", "));
    }

    /// The schedule was made for one value of each parameter, and must be right for others.
    void compare_for_all_kinds(const isa::kernel& plain, const isa::kernel& schedule,
                               const std::vector<followed_word>& in_schedule) const {
        platform::core_runner runner;
        equivalence_options how;
        how.prove = true;
        how.seeds = 2;
        how.interrupted = [this] { return caller_.is_interrupted(); };
        for (std::size_t k = 0; k < std::size(compared_values); ++k) {
            parameter_bits bits;
            for (std::size_t i = 0; i < is_free_.size(); ++i)
                bits.push_back(compared_values[(k + 3 * i) % std::size(compared_values)]);
            const equivalence_report report =
                compare(runner, with_values(plain, followed_, bits), with_values(schedule, in_schedule, bits),
                        request_.schedule.machine, std::nullopt, how);
            if (!report.equal)
                throw user_error(fmt::format("{}: the schedule is right for the values of {} that it was "
                                             "made with, and not for {:#x}: "
                                             "what it does depends on them; --args gives them values to stay",
                                             name(), free_names(), fmt::join(bits, ", ")));
        }
    }

    void write_header(optimize_answer& answer, const isa::kernel& schedule,
                      const std::vector<followed_word>& in_schedule) const {
        if (!answer.header_problem.empty() || !request_.schedule.llk_header) {
            answer.header.clear();
            return;
        }
        llk_kernel header{&schedule, answer.lead_words, name_in_header(request_.schedule), {}, {}, {}};
        header.remarks = head_of(answer.schedule);
        for (std::size_t i = 0; i < is_free_.size(); ++i)
            header.parameters.push_back({request_.parameters[i].type, request_.parameters[i].name});
        for (std::size_t i = 0; i < is_free_.size(); ++i)
            if (!is_free_[i])
                header.remarks.push_back(fmt::format("{} is taken for {}, whatever the caller says.",
                                                     request_.parameters[i].name, request_.arguments[i]));
        for (const followed_word& each : in_schedule)
            header.immediates[&(*sections_of(schedule)[each.section])[each.at]] =
                each.how.text(request_.parameters[each.how.parameter].name);
        answer.header = llk_header(header);
    }

    /// What the kernel file says of the values that stand in it.
    std::string remark(const parameter_bits& of) const {
        std::string text;
        for (std::size_t i = 0; i < is_free_.size(); ++i)
            if (is_free_[i])
                text +=
                    fmt::format("; {} = {:#x} stands for the parameter; --llk writes functions for all its "
                                "values.\n",
                                request_.parameters[i].name, of[i]);
        return text;
    }

    const function_request& request_;
    const session& caller_;
    std::vector<bool> is_free_; ///< by parameter: immediates may follow it
    std::vector<followed_word> followed_;
};

} // namespace

optimize_answer optimize_function(const function_request& request, const session& caller) {
    return scheduled_function(request, caller).run();
}

} // namespace sfpu::analysis
