#include <sfpu/views/exec_session.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/probe/observer.h>

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace sfpu::views {
namespace {

constexpr const char* not_enough_memory = "not enough memory for this request";

} // namespace

const std::string& exec_session::answer(std::string& line) {
    answer_.clear();
    exec_request request;
    try {
        parser_.parse(line, defaults_, request);
        recorder_.clear();
        recorder_.strict = request.strict;
        request.run.diagnostics = &recorder_;
        const platform::run_result result = watched_run(request);
        append_answer(answer_, request, result, runner_, recorder_);
    } catch (const request_error& error) {
        append_refusal(answer_, request.id, error.code, shortened(error.what()), error.index);
    } catch (const std::bad_alloc&) {
        let_go();
        append_refusal(answer_, request.id, "no-memory", not_enough_memory);
    } catch (const std::exception& error) {
        answer_.clear();
        append_refusal(answer_, request.id, "internal", error.what());
    }
    answer_ += '\n';
    return answer_;
}

/// Nobody watches unless something is asked for, or there is something to be seen.
platform::run_result exec_session::watched_run(exec_request& request) {
    probe::observer_list observers;
    analysis::dst_access_recorder accesses(runner_);
    bool look = !request.outputs.empty();
    for (const platform::program_segment& each : request.run.segments)
        look = look || std::any_of(each.words.begin(), each.words.end(), analysis::names_template_store);
    if (request.timeline) observers.add(recorder_);
    if (look) observers.add(accesses);
    request.run.observer = observers.empty() ? nullptr : &observers;
    const platform::run_result result = runner_.run(request.run);
    if (look) recorder_.remark(request, accesses, result);
    return result;
}

const std::string& exec_session::too_long(std::size_t most) {
    return refusal("bad-request", fmt::format("a line of more than {} bytes", most));
}

const std::string& exec_session::no_memory() { return refusal("no-memory", not_enough_memory); }

const std::string& exec_session::refusal(const char* code, const std::string& why) {
    answer_.clear();
    append_refusal(answer_, exec_request{}.id, code, why);
    answer_ += '\n';
    return answer_;
}

void exec_session::let_go() {
    answer_ = std::string();
    recorder_ = exec_recorder();
    parser_.let_go();
}

} // namespace sfpu::views
