#include "point_by_process.h"

#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/errors.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace sfpu::analysis {
namespace {

/// A file in memory: it has no name that could stay behind, whatever ends this process.
class nameless_file {
public:
    nameless_file() : descriptor_(memfd_create("sfpusim", 0)) {
        if (descriptor_ < 0) throw user_error(std::string("no file in memory: ") + std::strerror(errno));
    }
    ~nameless_file() { close(descriptor_); }
    nameless_file(const nameless_file&) = delete;
    nameless_file& operator=(const nameless_file&) = delete;

    /// What processes of this one call it.
    std::string name() const { return fmt::format("/proc/self/fd/{}", descriptor_); }
    std::string content() const {
        std::string text;
        std::array<char, 65536> part;
        for (ssize_t size;
             (size = pread(descriptor_, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
            text.append(part.data(), static_cast<std::size_t>(size));
        return text;
    }

private:
    int descriptor_;
};

std::vector<std::string> words_of_order(const schedule_order& order, const std::string& output) {
    std::vector<std::string> words{order.program, "optimize", order.kernel,
                                   "-o",          output,     "--json",
                                   "--quiet",     "--budget", std::to_string(order.budget)};
    if (order.retime) words.emplace_back("--retime");
    if (order.arch) words.insert(words.end(), {"--arch", short_name(*order.arch)});
    for (const parameter_value& each : order.machine)
        words.insert(words.end(), {"--set", fmt::format("{}={}", each.row->path, each.text())});
    return words;
}

} // namespace

std::optional<written_schedule> point_by_process(const schedule_order& order, const session& at) {
    if (order.program.empty())
        throw user_error(
            order.kernel +
            ": another schedule than 'keep' needs the program sfpusim, which the caller did not name");
    const nameless_file out;
    const auto said =
        ask_command(words_of_order(order, out.name()), order.seconds, [&at] { return at.is_interrupted(); });
    if (!said || at.is_interrupted() || said->code == 128 + SIGINT) return std::nullopt;
    if (said->is_late) return std::nullopt;
    const std::string text = out.content();
    if (!said->ok() || text.empty())
        throw user_error(said->complaints.empty() ? order.kernel + ": the optimiser gave no schedule"
                                                  : said->complaints);
    const auto answer = nlohmann::json::parse(said->output, nullptr, false);
    return written_schedule{text, answer.is_object() && answer.value("proved", false)};
}

} // namespace sfpu::analysis
