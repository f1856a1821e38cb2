#include <sfpu/analysis/schedule_point.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/optimize.h>

#include <algorithm>
#include <new>

namespace sfpu::analysis {
namespace {

optimize_answer optimized(const schedule_order& order, const std::string& known, const session& at) {
    optimize_request request;
    request.text = order.text;
    request.name = order.kernel;
    request.machine = order.machine;
    request.retime = order.retime;
    request.conflicts = static_cast<std::int64_t>(order.budget);
    if (!known.empty()) request.upper_bound = known_schedule{known, "the schedule of a smaller machine"};
    try {
        return optimize(request, at);
    } catch (const user_error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& fault) { // of this program: the point fails, and no other
        throw user_error(order.kernel + ": internal error: " + fault.what());
    }
}

/// The same schedule in the words of this machine: it has other encodings, say, or words share a cycle. Empty
/// if there is none.
std::string in_other_words(const schedule_order& order, const session& at) {
    optimize_request request;
    request.text = order.known;
    request.name = order.kernel;
    request.machine = order.machine;
    request.retime = true;
    request.conflicts = static_cast<std::int64_t>(order.budget);
    try {
        const optimize_answer answer = optimize(request, at);
        return answer.met ? answer.schedule : "";
    } catch (const user_error&) {
        return "";
    }
}

/// Begins with what is known of a smaller machine, as it is or in other words; where neither is right,
/// without.
optimize_answer improved(const schedule_order& order, const session& at) {
    for (const bool as_it_is : {true, false}) {
        const std::string known = as_it_is ? order.known : in_other_words(order, at);
        if (known.empty()) continue;
        try {
            return optimized(order, known, at);
        } catch (const user_error&) { // this machine runs it otherwise
        }
    }
    return optimized(order, "", at);
}

/// What no schedule goes below: the shortest that was left undecided, if one was, else what was proved.
double least_of(const optimize_answer& answer) {
    const double found = answer.best ? answer.best->cycles_per_row : answer.plain_cycles_per_row;
    if (answer.proof.status != proof_status::open) return found;
    if (answer.open.empty()) return std::min(answer.bound_cycles_per_row, found);
    return std::max(answer.bound_cycles_per_row, *std::min_element(answer.open.begin(), answer.open.end()));
}

} // namespace

std::optional<written_schedule> schedule_for_point(const schedule_order& order, const session& at) {
    const optimize_answer answer = order.known.empty() ? optimized(order, "", at) : improved(order, at);
    if (answer.interrupted) return std::nullopt;
    if (!answer.met || answer.schedule.empty())
        throw user_error(order.kernel + ": the optimiser gave no schedule");
    // Without a schedule it is the kernel itself, perhaps with SFPNOPs.
    const std::string equality = answer.best ? to_string(answer.best->strength) : "tested";
    return written_schedule{answer.schedule, answer.proved, least_of(answer), equality,
                            to_string(answer.proof.status)};
}

} // namespace sfpu::analysis
