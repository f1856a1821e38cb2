// What a waveform says of the registers of its lanes.
#pragma once

#include <cstdint>
#include <map>
#include <sstream>
#include <string>

namespace sfpu::test {

/// A register of a lane, and what it shows from a cycle on.
using shown_values = std::map<std::string, std::map<std::int64_t, std::string>>;

inline shown_values values_in(const std::string& vcd) {
    std::map<std::string, std::string> names;
    shown_values shown;
    std::istringstream lines(vcd);
    std::string scope;
    std::int64_t time = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first, kind, width, id, name;
        words >> first;
        if (first == "$scope") words >> kind >> scope;
        else if (first == "$var") {
            words >> kind >> width >> id >> name;
            if (scope.rfind("lane", 0) == 0 && (name[0] == 'L' || name[0] == 'f'))
                names[id] = scope + "." + name;
        } else if (first[0] == '#') time = std::stoll(first.substr(1));
        else if (first[0] == 'b' && words >> id && names.count(id)) shown[names[id]][time] = first;
    }
    return shown;
}

} // namespace sfpu::test
