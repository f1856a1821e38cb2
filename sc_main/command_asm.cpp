// `asm` and `disasm`: assembly to words and back.
#include "command.h"
#include "kernel_argument.h"
#include "program.h"
#include <sfpu/analysis/kernel_file.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/gnu_syntax.h>

namespace sfpu::cli {
namespace {

/// Both read one file and write one text.
class translating_command : public command {
public:
    explicit translating_command(const char* name) : input_(name, "FILE") {}

    void add_options(CLI::App& app) override {
        input_.add_options(app);
        app.add_option("-o,--output", output_, "where to write; standard output if not given")
            ->type_name("FILE");
    }

    int run(const common_options& options) override {
        write_output(output_, translate(input_.assembled(options)));
        return exit_success;
    }

private:
    virtual std::string translate(const isa::kernel& kernel) const = 0;

    kernel_argument input_;
    std::string output_;
};

class asm_command : public translating_command {
public:
    asm_command() : translating_command("asm") {}
    const char* name() const override { return "asm"; }
    const char* description() const override { return "Translate assembly into words, one a line"; }

private:
    std::string translate(const isa::kernel& kernel) const override { return kernel_words(kernel); }
};

class disasm_command : public translating_command {
public:
    disasm_command() : translating_command("disasm") {}
    const char* name() const override { return "disasm"; }
    const char* description() const override { return "Translate words into assembly"; }
    void add_options(CLI::App& app) override {
        translating_command::add_options(app);
        app.add_option("--syntax", syntax_, "of whose assembler: this program's, or the public GNU one")
            ->type_name("sfpusim|gnu")
            ->check(CLI::IsMember({"sfpusim", "gnu"}));
    }

private:
    std::string translate(const isa::kernel& kernel) const override {
        return syntax_ == "gnu" ? isa::gnu_listing(kernel) : isa::listing(kernel);
    }

    std::string syntax_ = "sfpusim";
};

} // namespace

std::unique_ptr<command> make_asm_command() { return std::make_unique<asm_command>(); }
std::unique_ptr<command> make_disasm_command() { return std::make_unique<disasm_command>(); }

} // namespace sfpu::cli
