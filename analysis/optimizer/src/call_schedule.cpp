#include <sfpu/analysis/call_schedule.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/library_check.h>
#include <sfpu/analysis/llk_header.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/analysis/output_file.h>

#include <fmt/format.h>

#include <chrono>
#include <exception>

namespace sfpu::analysis {
namespace {

/// "blackhole_ckernel_sfpu_exp_calculate_exp_3"
std::string base_name_of(const plain_call& of) {
    std::string header = file_name_of(of.header);
    if (header.size() > 2 && header.compare(header.size() - 2, 2, ".h") == 0)
        header.resize(header.size() - 2);
    for (char& c : header)
        if (c == '.') c = '_';
    return fmt::format("{}_{}_{}", llk_name(header), llk_name(of.function), of.number);
}

/// Words of the vector unit in a row.
unsigned words_of_a_row(const std::string& text, const std::string& name) {
    const isa::kernel kernel = assemble_kernel(text, name, {});
    return static_cast<unsigned>(kernel.loop.size() / std::max(1u, kernel.rows_per_iteration));
}

void write_text(const std::string& path, const std::string& text, library_schedule& to) {
    if (text.empty()) return;
    output_file file(path);
    file.stream() << text;
    file.commit();
    to.files.push_back(path);
}

void describe_answer(const optimize_answer& answer, library_schedule& found) {
    found.plain = answer.plain_cycles_per_row;
    found.bound = answer.bound_cycles_per_row;
    found.status = answer.best ? answer.proved ? "proved" : "open" : "plain";
    if (!answer.best) return;
    found.ours = answer.best->cycles_per_row;
    found.macros = answer.best->macros;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

} // namespace

library_schedule schedule_of_call(const plain_call& of, const call_schedule_options& options,
                                  const session& caller) {
    const auto begun = std::chrono::steady_clock::now();
    library_schedule found;
    optimize_request request;
    request.name = base_name_of(of) + ".s";
    request.text = of.text;
    request.seconds = options.seconds;
    request.conflicts = options.conflicts;
    request.solver = options.solver;
    request.llk_header = true;
    request.function = name_of_function(of.function);
    session quiet = caller;
    quiet.progress = nullptr;
    optimize_answer answer;
    try {
        found.words = words_of_a_row(of.text, request.name);
        answer = optimize(request, quiet);
        describe_answer(answer, found);
    } catch (const std::exception& error) {
        found.status = "failed";
        found.reason = first_line(error.what());
    }
    if (answer.best && !options.folder.empty()) {
        write_text(options.folder + "/" + request.name, answer.schedule, found);
        write_text(options.folder + "/" + base_name_of(of) + ".h", answer.header, found);
    }
    found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return found;
}

} // namespace sfpu::analysis
