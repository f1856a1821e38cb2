#include <sfpu/analysis/recorded_function.h>

#include "call_program.h"
#include "kernel_files.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_compiler.h>
#include <sfpu/analysis/scratch_folder.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <functional>
#include <sstream>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view describing_function = "sfpu_kernel";

/// Ends a compilation and a run of the program in time.
session with_time(const session& of, double seconds) {
    session limited = of;
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(seconds));
    if (!limited.deadline || *limited.deadline > end) limited.deadline = end;
    return limited;
}

/// Rewrites each `.origin` of a text; the directive has a file and a line.
std::string with_origins(const std::string& assembly,
                         const std::function<isa::word_origin(const std::string&, unsigned)>& rewritten) {
    constexpr std::string_view directive = ".origin \"";
    std::string result, line;
    for (std::istringstream lines(assembly); std::getline(lines, line); result += line + '\n') {
        const std::size_t end = line.rfind("\", ");
        if (line.compare(0, directive.size(), directive) != 0 || end == std::string::npos) continue;
        unsigned number = 0;
        std::from_chars(line.data() + end + 3, line.data() + line.size(), number);
        line = isa::directive_text(rewritten(line.substr(directive.size(), end - directive.size()), number));
    }
    return result;
}

class function_recording {
public:
    function_recording(const cpp_file& file, architecture arch, const kernel_tools& tools, double seconds,
                       const session& of)
        : file_(file), arch_(arch), tools_(tools), seconds_(seconds), session_(of), path_(path_of_source()),
          functions_(declared_functions(file.text)) {
        for (const std::string& each : file.definitions) tools_.flags.push_back("-D" + each);
        for (const std::string& each : file.folders)
            folders_.push_back(fs::absolute(each).lexically_normal().string());
    }

    recorded_function run(const std::string& function, const given_arguments& given) {
        std::size_t which = functions_.size();
        for (std::size_t i = 0; i < functions_.size(); ++i)
            if (functions_[i].declaration.name == describing_function) which = i;
        if (which == functions_.size() || (!function.empty() && function != describing_function))
            which = chosen_function(functions_, function, given.arguments.size(), file_.name);
        result_.line = functions_[which].line;
        if (functions_[which].declaration.name == describing_function) describe();
        else call(which, given);
        return std::move(result_);
    }

private:
    /// The file itself, or a copy of its text if that is no file or an older state of it.
    std::string path_of_source() const {
        std::error_code error;
        const fs::path absolute = fs::absolute(file_.name, error).lexically_normal();
        if (!error && fs::is_regular_file(absolute, error) && text_if_any(absolute.string()) == file_.text)
            return absolute.string();
        const std::string copy = scratch_.file("given_source.h");
        write_source(copy, file_.text);
        return copy;
    }

    [[noreturn]] void refuse(const std::string& what) const {
        if (session_.is_over()) throw user_error(shown_name(file_.name) + ": interrupted");
        if (!compiler_runs(tools_.compiler, session_))
            throw user_error(tools_.compiler + ": not found; C++ kernels need a compiler, CXX names another");
        throw user_error(what);
    }

    /// Refuses what the compiler said: "clip.h:7:3: 'x' was not declared". Of the file itself the place
    /// stands in front.
    [[noreturn]] void refuse_compilation(std::string said, const std::string& what) const {
        constexpr std::string_view fatal = " fatal "; // of "fatal error:"
        if (const std::size_t found = said.find(fatal); found != std::string::npos)
            said.erase(found, fatal.size() - 1);
        const std::string own = fs::path(path_).filename().string() + ":";
        if (said.compare(0, own.size(), own) != 0)
            refuse(fmt::format("{}: {}: {}", shown_name(file_.name), what, said));
        refuse(shown_name(file_.name) + ":" + said.substr(own.size()));
    }

    void call(std::size_t which, const given_arguments& given) {
        const declared_function& function = functions_[which];
        std::vector<function_declaration> all;
        all.reserve(functions_.size());
        for (const declared_function& each : functions_) all.push_back(each.declaration);
        std::string problem;
        const auto call = call_as_given(file_.text, all, which, given, problem);
        if (!call)
            throw user_error(fmt::format("{}:{}: {}: {}", shown_name(file_.name), function.line,
                                         function.signature(), problem));
        result_.call = *call;
        const kernel_header header{path_, file_.name, arch_, folders_of_header(), {}};
        const step_limit limit(session_, seconds_);
        header_compiler compiler(header, tools_, scratch_.path(), limit);
        call_program program(compiler, {with_place(*call)}, scratch_.path(), "call", false);
        if (!program.build()) {
            const std::string what =
                fmt::format("the call {} of {} does not compile", call->call, function.signature());
            if (!may_need_another_way(program.problem())) refuse_compilation(program.problem(), what);
            if (!compiler.find_way()) refuse_compilation(compiler.problem(), "it does not compile");
            if (!program.build()) refuse_compilation(program.problem(), what);
        }
        const auto assembly = program.record_with_origins(0, problem);
        if (!assembly)
            refuse(fmt::format("{}:{}: {} cannot be recorded: {}", shown_name(file_.name), function.line,
                               call->call, shortened(problem.substr(0, problem.find_last_not_of('\n') + 1))));
        result_.assembly = with_origins(*assembly, [&](const std::string& file, unsigned line) {
            if (file != program.source_file()) return isa::word_origin{shown(file), line, {}, {}, 0};
            using part = call_program::part;
            const part of = program.part_on_line(0, line);
            return isa::word_origin{file_.name,
                                    of == part::call   ? function.line
                                    : of == part::init ? line_of(call->init)
                                                       : 0,
                                    {},
                                    {},
                                    0};
        });
        note_call(*call, given, program.has_init(0));
        if (const std::string note = compiler.note(); !note.empty())
            result_.notes.push_back("it was compiled " + note);
    }

    /// Headers of the library may need what their callers give them, and a compiler may refuse to unroll.
    /// What else does not compile is a mistake, which nobody waits for eight compilations to hear of.
    bool may_need_another_way(const std::string& problem) const {
        return fs::path(file_.name).filename().string().rfind("ckernel_sfpu_", 0) == 0 ||
               problem.find("unroll") != std::string::npos;
    }

    /// Words that do not know their line stand where the function does.
    static kernel_call with_place(kernel_call call) {
        const std::string here =
            "::sfpu::kernel_recorder::stand_at(::sfpu::kernel_recorder::source_place::here()); ";
        if (!call.init.empty()) call.init = here + call.init;
        call.statement = here + call.statement;
        return call;
    }

    /// Without the semicolon.
    static std::string init_of(const kernel_call& call) {
        return call.init.substr(0, call.init.find_last_not_of("; ") + 1);
    }

    void note_call(const kernel_call& call, const given_arguments& given, bool has_init) {
        const bool guessed = call.call.find('<') != std::string::npos && given.template_arguments.empty();
        result_.notes.push_back(fmt::format("it was called as {}{}", call.call,
                                            guessed ? ", with template arguments that were guessed" : ""));
        if (!call.init.empty())
            result_.notes.push_back(
                has_init ? fmt::format("it was prepared by {}", init_of(call))
                         : fmt::format("it was not prepared: {} does not compile", init_of(call)));
        if (!call.counts_rows)
            result_.notes.emplace_back(
                "how many rows a call has is not known: as many as its words repeat, else one");
    }

    /// A source whose sfpu_kernel() says all.
    void describe() {
        kernel_source source{"kernel", arch_, folders_of_header(), "#include \"" + path_ + "\"\n", true};
        const auto recorded = record_kernel(source, tools_, with_time(session_, seconds_));
        if (!recorded && !session_.is_over())
            throw user_error(
                fmt::format("{}: not recorded after {:g} seconds", shown_name(file_.name), seconds_));
        if (!recorded) refuse("");
        if (!recorded->problem.empty()) {
            const std::string own = path_ + ":";
            std::string said = recorded->problem;
            if (said.compare(0, own.size(), own) == 0) said = said.substr(own.size());
            refuse(shown_name(file_.name) + ":" + (said == recorded->problem ? " " : "") + said);
        }
        result_.call.function = result_.call.call = describing_function;
        result_.assembly = with_origins(recorded->assembly, [&](const std::string& file, unsigned line) {
            return isa::word_origin{shown(file), line, {}, {}, 0};
        });
    }

    /// Headers of a library name its others from the folder above "sfpu".
    std::vector<std::string> folders_of_header() const {
        std::vector<std::string> folders;
        const fs::path own = fs::absolute(file_.name).lexically_normal().parent_path();
        folders.push_back(own.string());
        if (own.filename() == "sfpu" || own.filename() == "llk_sfpu")
            folders.push_back(own.parent_path().string());
        folders.insert(folders.end(), folders_.begin(), folders_.end());
        return folders;
    }

    /// A file as messages call it: the file's own name; of another below its folder the name from there.
    std::string shown(const std::string& path) const {
        if (path == path_) return file_.name;
        const fs::path folder = fs::path(path_).parent_path();
        const fs::path relative = fs::path(path).lexically_relative(folder);
        if (relative.empty() || *relative.begin() == "..") return path;
        return (fs::path(file_.name).parent_path() / relative).lexically_normal().string();
    }

    /// The line of the function that a call names.
    unsigned line_of(const std::string& call) const {
        for (const declared_function& each : functions_) {
            const std::string& name = each.declaration.name;
            if (call.compare(0, name.size(), name) == 0 && call.size() > name.size() &&
                !is_word_character(call[name.size()]))
                return each.line;
        }
        return 0;
    }

    const cpp_file& file_;
    architecture arch_;
    kernel_tools tools_;
    double seconds_;
    const session& session_;
    scratch_folder scratch_;
    std::string path_; ///< of what is compiled
    std::vector<std::string> folders_;
    std::vector<declared_function> functions_;
    recorded_function result_;
};

} // namespace

recorded_function record_function(const cpp_file& file, architecture arch, const std::string& function,
                                  const given_arguments& given, const kernel_tools& tools, double seconds,
                                  const session& of) {
    return function_recording(file, arch, tools, seconds, of).run(function, given);
}

} // namespace sfpu::analysis
