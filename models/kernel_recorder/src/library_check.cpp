#include <sfpu/kernel_recorder/library_check.h>
#include <sfpu/kernel_recorder/program.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

namespace sfpu::kernel_recorder {

int library_main(int argc, const char* const* argv, architecture arch,
                 const std::vector<library_function>& functions) {
    try {
        if (argc < 3) throw kernel_error("expected a number and a file or --equiv");
        const std::size_t index = std::strtoul(argv[1], nullptr, 10);
        if (index >= functions.size())
            throw kernel_error("there are " + std::to_string(functions.size()) + " functions, found " +
                               argv[1]);
        const library_function& function = functions[index];
        const bool wide = argc > 3 && std::string(argv[3]) == "--wide";
        const auto describe = [&](program_builder& kernel) {
            kernel.init(function.init).calculate(function.rows, function.calculate);
            kernel.rows(function.rows < 32 && 32 % function.rows == 0 ? 32 : function.rows);
            kernel.config("fp32_enabled", wide ? "true" : "false").config("srcb_format", "5");
        };
        if (std::string(argv[2]) == "--equiv") {
            const std::string difference = difference_from_direct(arch, describe, 4);
            std::cout << difference << std::flush;
            return difference.empty() ? 0 : 2;
        }
        program_builder builder(function.name, arch);
        describe(builder);
        std::ofstream out(argv[2], std::ios::binary);
        out << assembly_source(builder.build()) << std::flush;
        if (!out) throw kernel_error(std::string(argv[2]) + ": cannot be written");
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

} // namespace sfpu::kernel_recorder
