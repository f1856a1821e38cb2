#include "markup.h"

namespace sfpu::views {

std::string markup_text(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        case '\n': result += "&#10;"; break;
        default:
            if (static_cast<unsigned char>(c) >= ' ')
                result += c; // XML 1.0 allows no other control characters
        }
    }
    return result;
}

std::string inside_script(std::string_view text, std::string_view instead_of_less_than) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        const bool ends =
            rest.substr(0, 2) == "</" || rest.substr(0, 4) == "<!--" || rest.substr(0, 7) == "<script";
        if (ends) result += instead_of_less_than;
        else result += text[i];
    }
    return result;
}

} // namespace sfpu::views
