#include <sfpu/views/help_pages.h>

#include <gtest/gtest.h>

namespace sfpu::views {
namespace {

program_help one_command() {
    return {"a program",
            "1.2.3",
            {{"run",
              "Run it",
              {{"KERNEL", {}, "", "the kernel", {}},
               {"--output,-o", {"output"}, "FILE", "where", {}},
               {"--arch", {"arch"}, "NAME", "the chip's name", {"bh", "wh"}}},
              "Examples:\n  sfpusim run x.s"}}};
}

TEST(help_pages, the_manual_escapes_what_roff_would_read) {
    const std::string page = manual_page(one_command());
    EXPECT_NE(page.find(".TP\n.B \\-\\-output,\\-o FILE\nwhere\n"), std::string::npos) << page;
    EXPECT_NE(page.find(".B KERNEL\nthe kernel\n"), std::string::npos);
    program_help dotted = one_command();
    dotted.commands[0].description = ".config is read";
    EXPECT_NE(manual_page(dotted).find("\\&.config is read"), std::string::npos);
}

TEST(help_pages, completion_offers_commands_and_the_long_options_of_each) {
    const std::string script = bash_completion(one_command());
    EXPECT_NE(script.find("run) options='--output --arch' ;;"), std::string::npos) << script;
    EXPECT_NE(script.find("compgen -W 'run help --help --version'"), std::string::npos);
}

TEST(help_pages, completion_offers_the_values_of_an_option_behind_it) {
    EXPECT_NE(bash_completion(one_command()).find("run:--arch)\n            values='bh wh' ;;\n"),
              std::string::npos);
    const std::string script = zsh_completion(one_command());
    EXPECT_EQ(script.rfind("#compdef sfpusim\n", 0), 0u);
    EXPECT_NE(script.find("run:--arch)\n            values=(bh wh) ;;\n"), std::string::npos) << script;
    EXPECT_NE(script.find("'--arch:the chip'\\''s name'"), std::string::npos) << script;
}

} // namespace
} // namespace sfpu::views
