// Lines from a terminal, with editing, history and completion.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::cli {

/// libedit on standard input and output. Keys are those of ~/.editrc, else of Emacs; the tabulator completes
/// the last word. While it lives, a Ctrl-C that comes when no line is edited does nothing, unless somebody
/// takes it (interrupt_guard).
class line_editor {
public:
    /// The words that may stand at the end of what has been typed, of which some begin with its last word.
    using completer = std::function<std::vector<std::string>(const std::string& typed)>;

    line_editor(std::string prompt, completer complete);
    ~line_editor();
    line_editor(const line_editor&) = delete;
    line_editor& operator=(const line_editor&) = delete;

    /// The next line without its end; empty after Ctrl-C; nothing at the end of input.
    std::optional<std::string> read();

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::cli
