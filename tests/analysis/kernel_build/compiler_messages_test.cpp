// What GCC, Clang and linkers say, as they said it.
#include <sfpu/analysis/compiler_messages.h>

#include <gtest/gtest.h>

#include <set>

namespace sfpu::analysis {
namespace {

struct message_case {
    const char* line;
    message_kind kind;
    bool is_error;
    const char* file;
    unsigned number;
    const char* name;
};

// GCC 12, Clang 14, GNU ld 2.40, gold, lld 14.
const message_case message_cases[] = {
    {"/k/a.h:7:5: error: \u2018clamp\u2019 was not declared in this scope; did you mean "
     "\u2018std::clamp\u2019?",
     message_kind::undeclared_name, true, "/k/a.h", 7, "clamp"},
    {"/k/a.h:7:5: error: 'clamp' was not declared in this scope", message_kind::undeclared_name, true,
     "/k/a.h", 7, "clamp"},
    {"/k/a.h:9:12: error: there are no arguments to \u2018helper\u2019 that depend on a template parameter, "
     "so a "
     "declaration of \u2018helper\u2019 must be available [-fpermissive]",
     message_kind::undeclared_name, true, "/k/a.h", 9, "helper"},
    {"/k/a.h:7:5: error: use of undeclared identifier 'clamp'; did you mean 'std::clamp'?",
     message_kind::undeclared_name, true, "/k/a.h", 7, "clamp"},
    {"/usr/bin/ld: /tmp/cc1.o: in function `main': a.cpp:(.text+0x5): undefined reference to `_Z3foov'",
     message_kind::undefined_symbol, false, "", 0, "_Z3foov"},
    {"a.cpp:(.text+0x5): error: undefined reference to '_Z3foov'", message_kind::undefined_symbol, true, "",
     0, "_Z3foov"},
    {"ld.lld: error: undefined symbol: _Z3foov", message_kind::undefined_symbol, true, "", 0, "_Z3foov"},
    {"/k/a.h:3:10: fatal error: none.h: No such file or directory", message_kind::error, true, "/k/a.h", 3,
     ""},
    {"/k/a.h:3:10: fatal error: 'none.h' file not found", message_kind::error, true, "/k/a.h", 3, ""},
    {"collect2: error: ld returned 1 exit status", message_kind::error, true, "", 0, ""},
    {"/k/a.cpp:45:12:   required from here", message_kind::other, false, "/k/a.cpp", 45, ""},
    {"/k/a.cpp:45:12: note: in instantiation of function template specialization 'f<8>' requested here",
     message_kind::other, false, "/k/a.cpp", 45, ""},
    {"In file included from /k/a.cpp:9:", message_kind::other, false, "", 0, ""},
    {"/k/a.h:7:5: note: \u2018clamp\u2019 was not declared in this scope", message_kind::other, false,
     "/k/a.h", 7, ""},
    {"   12 |     clamp(x);", message_kind::other, false, "", 0, ""},
};

TEST(compiler_messages, each_line_is_known_by_kind_place_and_name) {
    for (const message_case& each : message_cases) {
        SCOPED_TRACE(each.line);
        const auto messages = read_messages(std::string(each.line) + "\n");
        ASSERT_EQ(messages.size(), 1u);
        EXPECT_EQ(messages[0].kind, each.kind);
        EXPECT_EQ(messages[0].is_error, each.is_error);
        EXPECT_EQ(messages[0].name, each.name);
        EXPECT_EQ(messages[0].text, each.line);
        EXPECT_EQ(messages[0].line, each.number);
        EXPECT_EQ(messages[0].file, each.file);
    }
}

TEST(compiler_messages, each_row_of_the_table_is_needed_by_some_line) {
    std::set<const message_pattern*> used;
    for (const message_case& each : message_cases) {
        const std::string line = each.line;
        for (const message_pattern& pattern : message_patterns())
            if (pattern.kind == each.kind && line.find(pattern.before) != std::string::npos &&
                line.find(pattern.behind) != std::string::npos) {
                used.insert(&pattern);
                break;
            }
    }
    for (const message_pattern& pattern : message_patterns())
        EXPECT_EQ(used.count(&pattern), 1u)
            << pattern.program << ": " << pattern.before << "..." << pattern.behind;
}

TEST(compiler_messages, names_come_once_and_in_their_order) {
    const auto messages = read_messages("a.h:1:1: error: use of undeclared identifier 'second'\n"
                                        "a.h:2:1: error: use of undeclared identifier 'first'\n"
                                        "a.h:3:1: error: use of undeclared identifier 'second'\n"
                                        "x.o: undefined reference to `other'\n");
    EXPECT_EQ(names_in(messages, message_kind::undeclared_name),
              (std::vector<std::string>{"second", "first"}));
    EXPECT_EQ(names_in(messages, message_kind::undefined_symbol), std::vector<std::string>{"other"});
}

TEST(compiler_messages, the_first_error_is_told_without_folders_and_without_the_word) {
    EXPECT_EQ(first_error("In file included from /k/b.cpp:1:\n/k/a.h:7:5: error: it is wrong\n/k/c.h:1:1: "
                          "error: so is it\n"),
              "a.h:7:5: it is wrong");
    EXPECT_EQ(first_error("collect2: error: ld returned 1 exit status"),
              "collect2: ld returned 1 exit status");
    EXPECT_EQ(first_error("a.h:1:1: error:"), "a.h:1:1: ");
}

TEST(compiler_messages, without_an_error_the_beginning_is_told_on_one_line) {
    EXPECT_EQ(first_error("one\ntwo\n"), "one two ");
    EXPECT_EQ(first_error(std::string(500, 'x')), std::string(200, 'x'));
    EXPECT_EQ(first_error(""), "");
}

} // namespace
} // namespace sfpu::analysis
