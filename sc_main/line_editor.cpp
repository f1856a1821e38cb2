#include "line_editor.h"

#include <histedit.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

namespace sfpu::cli {

struct line_editor::implementation {
    std::string prompt;
    completer complete;
    EditLine* edit = nullptr;
    History* history = nullptr;
    bool cancelled = false;
    struct sigaction before_int = {};

    static implementation& of(EditLine* edit) {
        void* self = nullptr;
        el_get(edit, EL_CLIENTDATA, &self);
        return *static_cast<implementation*>(self);
    }
    static char* prompt_of(EditLine* edit) { return of(edit).prompt.data(); }

    /// Ctrl-C gives the line up.
    static unsigned char cancel(EditLine* edit, int) {
        of(edit).cancelled = true;
        std::fputs("^C", stdout);
        return CC_NEWLINE;
    }

    /// Adds what all words that fit have in common; if that is nothing, lists them.
    static unsigned char complete_word(EditLine* edit, int) {
        const LineInfo* line = el_line(edit);
        const std::string typed(line->buffer, line->cursor);
        const std::string word = typed.substr(typed.find_last_of(' ') + 1);
        std::vector<std::string> fitting;
        for (const std::string& each : of(edit).complete(typed))
            if (each.compare(0, word.size(), word) == 0) fitting.push_back(each);
        if (fitting.empty()) return CC_ERROR;
        std::string common = fitting.front();
        for (const std::string& each : fitting) {
            const auto end = std::mismatch(common.begin(), common.end(), each.begin(), each.end()).first;
            common.erase(end, common.end());
        }
        std::string added = common.substr(word.size());
        if (fitting.size() == 1) added += ' ';
        if (!added.empty()) return el_insertstr(edit, added.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
        std::string list = "\n";
        for (const std::string& each : fitting) list += each + "  ";
        std::fputs((list + "\n").c_str(), stdout);
        return CC_REDISPLAY;
    }
};

line_editor::line_editor(std::string prompt, completer complete) : impl_(std::make_unique<implementation>()) {
    impl_->prompt = std::move(prompt);
    impl_->complete = std::move(complete);
    // The prompt stands on the terminal before Ctrl-C is a key, and a command is at work before it listens.
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &impl_->before_int);
    impl_->edit = el_init("sfpusim", stdin, stdout, stderr);
    impl_->history = history_init();
    EditLine* const edit = impl_->edit;
    HistEvent event;
    history(impl_->history, &event, H_SETSIZE, 1000);
    history(impl_->history, &event, H_SETUNIQUE, 1);
    el_set(edit, EL_CLIENTDATA, impl_.get());
    el_set(edit, EL_PROMPT, implementation::prompt_of);
    el_set(edit, EL_HIST, history, impl_->history);
    el_set(edit, EL_EDITOR, "emacs");
    // In wide characters, which libedit keeps as they are: of narrow ones it makes copies that nobody frees.
    el_wset(edit, EL_ADDFN, L"sfpusim-complete", L"complete the word", implementation::complete_word);
    el_wset(edit, EL_ADDFN, L"sfpusim-cancel", L"give the line up", implementation::cancel);
    el_set(edit, EL_BIND, "^I", "sfpusim-complete", nullptr);
    el_set(edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(edit, nullptr);
    el_set(edit, EL_SETTY, "-d", "-isig", nullptr); // Ctrl-C is a key while a line is edited
    el_set(edit, EL_BIND, "^C", "sfpusim-cancel", nullptr);
}

line_editor::~line_editor() {
    el_end(impl_->edit);
    history_end(impl_->history);
    sigaction(SIGINT, &impl_->before_int, nullptr);
}

std::optional<std::string> line_editor::read() {
    int length = 0;
    impl_->cancelled = false;
    const char* const text = el_gets(impl_->edit, &length);
    if (!text || length <= 0) return std::nullopt;
    if (impl_->cancelled) return std::string();
    std::string line(text, static_cast<std::size_t>(length));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    if (!line.empty()) {
        HistEvent event;
        history(impl_->history, &event, H_ENTER, line.c_str());
    }
    return line;
}

} // namespace sfpu::cli
