#include <sfpu/kernel_recorder/library_check.h>
#include <sfpu/kernel_recorder/program.h>

#include <sys/mman.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

namespace sfpu::kernel_recorder {

namespace {

/// Memory at a kernel's addresses: rows 0 to 31 as bytes, again and again.
void provide_l1(std::uintptr_t address) {
    constexpr std::size_t size = 1 << 20;
    void* const wanted = reinterpret_cast<void*>(address); // NOLINT(performance-no-int-to-ptr)
    void* const memory =
        mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != wanted) throw kernel_error("there is no room for L1 at the address that kernels are given");
    auto* const bytes = static_cast<unsigned char*>(memory);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i % 32);
}

/// What a tile has behind a call of so many rows, and how callers set up Dst.
void surround(program_builder& kernel, unsigned rows, bool wide) {
    kernel.rows(rows < 32 && 32 % rows == 0 ? 32 : rows);
    kernel.config("fp32_enabled", wide ? "true" : "false").config("srcb_format", "5");
}

program kernel_of(const library_function& function, architecture arch, unsigned rows) {
    program_builder builder(function.name, arch);
    builder.init(function.init).calculate(rows, function.calculate);
    surround(builder, rows, false);
    return builder.build();
}

/// With the most rows that a call of unknown rows can be cut into, equal words for each.
program kernel_of(const library_function& function, architecture arch) {
    if (function.rows != 0) return kernel_of(function, arch, function.rows);
    for (unsigned rows = 64; rows > 1; rows /= 2)
        if (program found = kernel_of(function, arch, rows); found.rows_per_iteration == 1) return found;
    return kernel_of(function, arch, 1);
}

void write_kernel_file(const std::string& name, const std::string& kernel) {
    std::ofstream out(name, std::ios::binary);
    out << kernel << std::flush;
    if (!out) throw kernel_error(name + ": cannot be written");
}

} // namespace

int library_main(int argc, const char* const* argv, architecture arch, const library_surroundings& around,
                 const std::vector<library_function>& functions) {
    try {
        if (argc < 3) throw kernel_error("expected a number and a file or --equiv");
        const std::size_t index = std::strtoul(argv[1], nullptr, 10);
        if (index >= functions.size())
            throw kernel_error("there are " + std::to_string(functions.size()) + " functions, found " +
                               argv[1]);
        const library_function& function = functions[index];
        if (around.l1 != 0) provide_l1(around.l1);
        const library_function* behind = nullptr;
        const bool with_origins = argc > 3 && std::string(argv[3]) == "--origins";
        if (argc > 3 && !with_origins) {
            const std::size_t number = std::strtoul(argv[3], nullptr, 10);
            if (number >= functions.size())
                throw kernel_error(std::string("there is no function ") + argv[3]);
            behind = &functions[number];
        }
        const auto describe = [&](program_builder& kernel, bool wide, bool faces) {
            if (behind != nullptr) kernel.init(behind->init).init(behind->calculate);
            kernel.init(function.init);
            kernel.calculate(
                function.rows,
                [&] {
                    function.calculate();
                    if (faces) around.next_face();
                },
                faces ? drain::every_call : drain::once);
            surround(kernel, function.rows, wide);
        };
        if (with_origins) {
            write_kernel_file(argv[2], assembly_source(kernel_of(function, arch), origins::written));
            return 0;
        }
        if (std::string(argv[2]) == "--equiv") {
            const std::string difference = difference_from_direct(
                arch, [&](program_builder& kernel) { describe(kernel, false, false); }, 4);
            std::cout << difference << std::flush;
            return difference.empty() ? 0 : 2;
        }
        for (const bool faces : {false, true})
            for (const bool wide : {false, true}) {
                program_builder builder(function.name, arch);
                describe(builder, wide, faces);
                const program kernel = builder.build();
                write_kernel_file(std::string(argv[2]) + (faces ? "_faces" : "") + (wide ? "_wide" : "") +
                                      ".s",
                                  assembly_source(kernel));
                if (!faces && !wide)
                    for (const std::string& each : kernel.warnings) std::cout << each << '\n';
            }
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

} // namespace sfpu::kernel_recorder

void sfpu_only_declared() {
    throw sfpu::kernel_recorder::kernel_error("it calls a function that is declared and not defined");
}
