#include <sfpu/analysis/plot_files.h>

#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/escapes.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <signal.h>
#include <unistd.h>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

/// Sends commands to gnuplot. Returns what is wrong, if anything is.
std::string run_gnuplot(const std::string& commands, const session& at) {
    constexpr int not_found = 127;
    // -d: whatever the user's own settings are
    const auto answer = ask_command(
        {"gnuplot", "-d", "-"}, std::nullopt, [&at] { return at.is_interrupted() || at.is_late(); },
        commands);
    if (!answer) return "interrupted";
    if (answer->code == not_found) return "gnuplot is not installed (Debian package gnuplot-nox)";
    return answer->ok() ? "" : "gnuplot failed: " + answer->output + answer->complaints;
}

/// A plot of some sweep, or what one that was killed left of it.
bool is_plot(const fs::path& path) {
    const std::string name = path.filename().string();
    const auto begins = [&](const char* prefix) { return name.rfind(prefix, 0) == 0; };
    return (begins("response-") || begins("heat-") || begins("pareto.") || begins("sensitivity.")) &&
           (path.extension() == ".svg" || path.stem().extension() == ".svg");
}

/// Whether the process that draws it, whose number the name ends with, still lives.
bool is_being_drawn(const fs::path& path) {
    const std::string number = path.extension().string().substr(1);
    const long process = std::strtol(number.c_str(), nullptr, 10);
    return process > 0 && (kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH);
}

} // namespace

std::string draw_plots(const std::vector<plot>& plots, const std::string& folder, const session& at) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw user_error(shown_name(folder) + ": cannot be made: " + error.message());
    const std::string fresh = fmt::format(".{}", getpid());
    std::string commands = "set terminal svg size 860,520 font 'DejaVu Sans,Helvetica,sans-serif,13' "
                           "background '#ffffff' noenhanced\n";
    for (const plot& each : plots)
        commands += "reset\nset grid lc rgb '#d5dae1'\nset border lc rgb '#5b6470'\nset output " +
                    gnuplot_file(fmt::format("{}/{}.svg{}", folder, each.name, fresh)) + "\n" + each.commands;
    commands += "set output\n";
    const auto forget = [&] {
        for (const plot& each : plots)
            fs::remove(fmt::format("{}/{}.svg{}", folder, each.name, fresh), error);
    };
    if (std::string problem = run_gnuplot(commands, at); !problem.empty()) {
        forget();
        return problem;
    }
    for (const plot& each : plots) {
        const std::string file = fmt::format("{}/{}.svg", folder, each.name);
        if (std::rename((file + fresh).c_str(), file.c_str()) == 0) continue;
        const user_error problem = cannot_write(file);
        forget();
        throw problem;
    }
    const auto is_ours = [&](const fs::path& path) {
        return std::any_of(plots.begin(), plots.end(),
                           [&](const plot& each) { return path.filename() == each.name + ".svg"; });
    };
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (is_plot(entry.path()) && !is_ours(entry.path()) && !is_being_drawn(entry.path()))
            fs::remove(entry.path(), error);
    return "";
}

} // namespace sfpu::analysis
