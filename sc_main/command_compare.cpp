// `compare`: what differs between two statistics files, and why one run took longer.
#include "command.h"
#include "program.h"
#include <sfpu/analysis/statistics_comparison.h>
#include <sfpu/views/comparison.h>

namespace sfpu::cli {
namespace {

class compare_command : public command {
public:
    const char* name() const override { return "compare"; }
    const char* description() const override {
        return "Say what differs between two statistics files, and why";
    }
    void add_options(CLI::App& app) override {
        app.add_option("A", a_file_, "statistics of one run (--stats)");
        app.add_option("B", b_file_, "statistics of another");
        app.add_flag("--json", json_, "as JSON");
    }

    int run(const common_options& options) override {
        if (b_file_.empty()) throw user_error("compare: expected two statistics files, A and B");
        if (a_file_ == "-" && b_file_ == "-")
            throw user_error("compare: both files are standard input ('-'); expected one of them at most");
        const statistics_file a = read_statistics(a_file_), b = read_statistics(b_file_);
        const statistics_comparison answer = compare_statistics(a, b);
        if (json_) write_output("", to_json(answer));
        else if (!options.quiet) write_output("", to_text(answer));
        return exit_success;
    }

private:
    std::string a_file_, b_file_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<command> make_compare_command() { return std::make_unique<compare_command>(); }

} // namespace sfpu::cli
