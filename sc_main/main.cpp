// The command line of the simulator. Every command is a class; this file finds the one that was asked for and
// turns faults into exit codes.
#include "colours.h"
#include "command.h"
#include "help_documents.h"
#include "help_text.h"
#include "interrupts.h"
#include "program.h"
#include <sfpu/analysis/output_file.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/views/config_json.h>

#include <systemc>
#include <tlm>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <string_view>
#include <utility>

namespace {

using namespace sfpu::cli;
using sfpu::shown_name;
using sfpu::shown_text;

using command_list = std::vector<std::unique_ptr<command>>;

command_list all_commands() {
    command_list commands;
    commands.push_back(make_run_command());
    commands.push_back(make_exec_command());
    commands.push_back(make_asm_command());
    commands.push_back(make_disasm_command());
    commands.push_back(make_schedule_command());
    commands.push_back(make_debug_command());
    commands.push_back(make_lint_command());
    commands.push_back(make_optimize_command());
    commands.push_back(make_equiv_command());
    commands.push_back(make_explore_command());
    commands.push_back(make_llk_command());
    commands.push_back(make_compare_command());
    commands.push_back(make_silicon_command());
    commands.push_back(make_tile_command());
    commands.push_back(make_bench_command());
    commands.push_back(make_info_command());
    return commands;
}

std::string joined(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty()) // those without a group are not for users
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

bool is_command(const command_list& commands, std::string_view word) {
    return std::any_of(commands.begin(), commands.end(),
                       [&](const auto& each) { return each->name() == word; });
}

user_error unknown_command(const command_list& commands, const std::string& word) {
    std::vector<std::string> names;
    for (const auto& known : commands) names.emplace_back(known->name());
    return user_error("unknown command '" + shown_name(word) + "'" +
                      suggestion(word, names, "; expected one of " + joined(names)));
}

/// Refuses words that no option or operand took.
void check_leftovers(const CLI::App& app, const CLI::App* chosen, const command_list& commands) {
    const std::vector<std::string> leftovers = app.remaining(true);
    if (leftovers.empty()) return;
    const std::string& word = leftovers.front();
    const std::string place = chosen ? " of 'sfpusim " + chosen->get_name() + "'" : "";
    if (word.size() > 1 && word.front() == '-') {
        const std::string option = word.substr(0, word.find('='));
        const std::vector<std::string> known = option_names(chosen ? *chosen : app);
        throw user_error("unknown option '" + shown_name(option) + "'" + place +
                         suggestion(option, known, "; expected one of " + joined(known)));
    }
    if (chosen) throw user_error("unexpected operand '" + shown_name(word) + "'" + place);
    throw unknown_command(commands, word);
}

/// An empty name or value is a mistake, mostly a variable of a script that is not set; an empty command of
/// the stepper is none.
void check_for_empty(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        const std::vector<std::string>& given = option->results();
        const bool has_empty = std::find(given.begin(), given.end(), "") != given.end();
        if (!has_empty || option->check_lname("command")) continue;
        const std::string type = option->get_type_name();
        throw user_error(option->get_name() + ": found '', expected " + (type == "TEXT" ? "a value" : type));
    }
}

/// Options of the program and of every command.
void add_everything(CLI::App& app, const command_list& commands, common_options& options) {
    app.set_version_flag("--version", "sfpusim " SFPU_TLM_VERSION);
    app.allow_extras(); // check_leftovers() gives better messages; inherited by the commands
    app.require_subcommand(0, 1);
    add_machine_options(app, options);
    add_trace_options(app, options);
    add_start_option(app, options);
    for (const auto& each : commands) {
        CLI::App* sub = app.add_subcommand(each->name(), each->description());
        each->add_options(*sub);
        add_machine_options(*sub, options);
        if (each->writes_traces()) add_trace_options(*sub, options);
        if (each->starts_kernels()) add_start_option(*sub, options);
        if (sub->get_footer().empty()) sub->footer(examples_of(each->name()));
    }
}

/// `sfpusim help [TOPIC]`; null: without a topic. False if it is a page that has been printed; else the
/// arguments are parsed.
bool parse_help(CLI::App& app, const command_list& commands, const char* argument) {
    const std::string topic = argument ? argument : "";
    if (topic == "man-page" || topic == "bash-completion" || topic == "zsh-completion") {
        const program_help help = help_of(app, SFPU_TLM_VERSION);
        write_output("", topic == "man-page"          ? manual_page(help)
                         : topic == "bash-completion" ? bash_completion(help)
                                                      : zsh_completion(help));
        return false;
    }
    std::vector<std::string> words{"--help"}; // CLI11 takes them from the end
    if (topic == "--all") argument = nullptr;
    if (argument) words.push_back(topic);
    if (argument && !is_command(commands, topic)) throw unknown_command(commands, topic);
    app.parse(std::move(words));
    return true;
}

/// False if all there was to do was to print help or the version. Throws user_error for what cannot be
/// understood.
bool parse_arguments(CLI::App& app, const command_list& commands, int argc, char** argv) {
    try {
        if (argc > 1 && std::string_view(argv[1]) == "help")
            return parse_help(app, commands, argc > 2 ? argv[2] : nullptr);
        app.parse(argc, argv);
        return true;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) throw user_error(shown_name(error.what()));
        std::ostringstream text; // the version
        const auto chosen = app.get_subcommands();
        const bool all =
            std::any_of(argv, argv + argc, [](std::string_view each) { return each == "--all"; });
        if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr)
            text << help_text(chosen.empty() ? app : *chosen.front(), all, help_width());
        else app.exit(error, text, text);
        write_output("", text.str());
        return false;
    }
}

/// Options of all commands that mean nothing to this one.
void check_meaning(const command& wanted, const common_options& options) {
    if (options.wants_trace() && !wanted.writes_traces())
        throw user_error(std::string("'sfpusim ") + wanted.name() +
                         "' takes none of --stats, --vcd, --konata, --perfetto, --from-cycle and --to-cycle");
    if (options.firmware_start && !wanted.starts_kernels())
        throw user_error(std::string("'sfpusim ") + wanted.name() +
                         "' takes neither --firmware-start nor --no-firmware-start");
}

int run_command(int argc, char** argv) {
    const command_list commands = all_commands();
    common_options options;
    CLI::App app("SFPU-TLM: cycle-level model of the Tensix vector unit (SFPU)", "sfpusim");
    add_everything(app, commands, options);
    if (!parse_arguments(app, commands, argc, argv)) return exit_success;
    const auto parsed = app.get_subcommands();
    const CLI::App* chosen = parsed.empty() ? nullptr : parsed.front();
    check_leftovers(app, chosen, commands);
    check_for_empty(app);
    if (chosen) check_for_empty(*chosen);

    command* wanted = nullptr;
    for (const auto& each : commands)
        if (chosen && chosen->get_name() == each->name()) wanted = each.get();
    if (options.dump_config) {
        write_output("",
                     config_text(wanted ? wanted->configuration(options) : resolved_configuration(options)));
        return exit_success;
    }
    if (!wanted) throw user_error("no command given; 'sfpusim --help' lists the commands");
    check_meaning(*wanted, options);
    return wanted->run(options);
}

constexpr const char* no_memory =
    "not enough memory; expected a smaller input, fewer rows or a higher limit (ulimit -v)";

/// What cannot be caught: a destructor that finds no memory for its work.
[[noreturn]] void end_without_unwinding() {
    discard_open_outputs();
    try {
        if (const std::exception_ptr cause = std::current_exception()) std::rethrow_exception(cause);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "sfpusim: %s\n", no_memory);
        std::_Exit(exit_usage);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sfpusim: internal error: %s\n", error.what());
    } catch (...) {
    }
    std::_Exit(exit_internal);
}

void complain(const char* prefix, const char* message) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s%s\n", prefix, shown_text(shortened(message)).c_str());
}

void complain(const std::vector<finding>& faults) {
    std::fflush(stdout);
    std::fputs(to_text(faults, most_shown_faults, colours_of(STDERR_FILENO)).c_str(), stderr);
}

} // namespace

int sc_main(int argc, char* argv[]) {
    // The commands report what users need; the kernel's own notes would disturb their output. Errors still
    // throw.
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    // No result depends on the quantum; the longer it is, the fewer switches between processes.
    tlm::tlm_global_quantum::instance().set(sc_core::sc_time(10, sc_core::SC_US));
    try {
        return run_command(argc, argv);
    } catch (const input_error& error) {
        if (error.findings().empty()) complain("", error.what());
        else complain(error.findings());
        return exit_usage;
    } catch (const user_error& error) {
        complain("sfpusim: ", error.what());
        return exit_usage;
    } catch (const std::bad_alloc&) {
        complain("sfpusim: ", no_memory);
        return exit_usage;
    } catch (const sc_core::sc_report& report) {
        const bool without_stack = std::string_view(report.get_msg()) == "failed to allocate stack memory";
        complain(without_stack ? "sfpusim: " : "sfpusim: internal error: ",
                 without_stack ? no_memory : report.what());
        return without_stack ? exit_usage : exit_internal;
    } catch (const std::exception& error) {
        complain("sfpusim: internal error: ", error.what());
        return exit_internal;
    } catch (...) {
        complain("sfpusim: internal error", "");
        return exit_internal;
    }
}

/// A closed one would be the next file that is opened, and reports would go into it. What stands there
/// instead refuses to be read or written, as a closed one does.
static void keep_standard_descriptors() {
    for (const auto& [descriptor, mode] :
         {std::pair{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_RDONLY}})
        if (fcntl(descriptor, F_GETFD) == -1 && open("/dev/null", mode) != descriptor)
            std::_Exit(exit_internal);
}

// Ours instead of SystemC's, because the banner must be off before SystemC starts.
int main(int argc, char* argv[]) {
    keep_standard_descriptors();
    std::set_terminate(end_without_unwinding);
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    sfpu::cli::end_on_interrupts();
    return sc_core::sc_elab_and_sim(argc, argv);
}
