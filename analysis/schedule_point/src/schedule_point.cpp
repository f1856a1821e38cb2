#include <sfpu/analysis/schedule_point.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/analysis/text_files.h>

#include <new>

namespace sfpu::analysis {
namespace {

optimize_answer optimized(const schedule_order& order, const session& at) {
    optimize_request request;
    request.text = read_file(order.kernel);
    request.name = order.kernel;
    request.machine = order.machine;
    request.retime = order.retime;
    request.conflicts = static_cast<std::int64_t>(order.budget);
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

} // namespace

std::optional<written_schedule> schedule_for_point(const schedule_order& order, const session& at) {
    const optimize_answer answer = optimized(order, at);
    if (answer.interrupted) return std::nullopt;
    if (!answer.met || answer.schedule.empty())
        throw user_error(order.kernel + ": the optimiser gave no schedule");
    return written_schedule{answer.schedule, answer.proved};
}

} // namespace sfpu::analysis
