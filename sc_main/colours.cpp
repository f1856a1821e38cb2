#include "colours.h"

#include "options.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace sfpu::cli {
namespace {

std::string& colour_choice() {
    static std::string choice = "auto";
    return choice;
}

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value;
}

} // namespace

void add_colour_option(CLI::App& app) {
    app.add_option("--color", colour_choice(), "colours in messages: auto, always or never")
        ->type_name("WHEN")
        ->check(one_of({"auto", "always", "never"}))
        ->group("Output");
}

colouring colours_of(int descriptor) {
    if (colour_choice() != "auto") return colour_choice() == "always" ? colouring::on : colouring::off;
    const char* terminal = std::getenv("TERM");
    const bool has_colours = terminal && *terminal && std::string_view(terminal) != "dumb";
    return !is_set("NO_COLOR") && has_colours && isatty(descriptor) != 0 ? colouring::on : colouring::off;
}

} // namespace sfpu::cli
