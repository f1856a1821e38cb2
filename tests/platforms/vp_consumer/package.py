#!/usr/bin/env python3
"""What of the installed package is more than its targets: components and versions, pkg-config, position-independent
code, the refusal of another SystemC, the firmware kit, headers that compile alone, Debian packages.

usage: package.py CASE BUILD_DIR SOURCE_DIR CMAKE      CASE: one of the functions below
Exit code 77: what the case needs is not installed.
"""
import glob
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from page_blocks import first_difference, played  # noqa: E402

CASE, BUILD_DIR, SOURCE_DIR, CMAKE = sys.argv[1:5]
SKIPPED = 77

# Fakes of SystemC that consist of their version.
FAKE_HEADER = "#define SC_VERSION_MAJOR 3\n#define SC_VERSION_MINOR 0\n#define SC_VERSION_PATCH 1\n"
FAKE_PACKAGE = """add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
target_include_directories(SystemC::systemc INTERFACE "${CMAKE_CURRENT_LIST_DIR}/include")
"""

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_EXTENSIONS OFF)
find_package(SfpuTlm %s)
%s
"""

# A program that needs the whole tile: it links, elaborates and ends.
TILE_PROGRAM = """#include <sfpu/platform/tile_run.h>
#include <sfpu/vector_unit/vector_unit.h>
#include <cstdio>
int sc_main(int, char*[]) {
    sfpu::vector_unit unit("unit");
    unit.reset(sfpu::parameters{});
    std::printf("pushes to %s\\n", unit.insn_tsock().name());
    return 0;
}
"""

# A kernel is optimised and proved equal by the libraries alone.
ANALYSIS_PROGRAM = """#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/views/optimize.h>
#include <cstdio>
using namespace sfpu;
int main() {
    analysis::optimize_request request;
    request.name = "square.s";
    request.text = ".arch bh\\n.rows 32\\n.init\\nsetc16 34, 2\\nsetc16 35, 0\\n.loop\\n"
                   "sfpload L0, FP32, ADDR_MOD_7, 0\\nsfpmul L0, L0, L9, L1, 0\\nsfpnop\\nsfpstore L1, FP32, ADDR_MOD_6, 0\\n";
    const analysis::optimize_answer found = analysis::optimize(request);
    const isa::kernel plain = analysis::assemble_kernel(request.text, request.name, {});
    const isa::kernel schedule = analysis::assemble_kernel(found.schedule, "found.s", {});
    platform::core_runner runner;
    const auto report = analysis::compare(runner, plain, schedule, {}, std::nullopt, {});
    std::printf("%s%s", views::to_text(found).c_str(), report.equal ? "equal\\n" : "not equal\\n");
    return report.equal && found.proved ? 0 : 1;
}
"""

FIRMWARE = """#include "sfpu_firmware.h"
#include "sfpu_tensix.h"
#include "signs.words.h"

int main(void) {
    set_dst_access(0, DST_32);
    *(volatile uint32_t*)DST_BASE = 0x80000005u;
    SIGNS_LOOP(TTINSN)
    wait_for_tensix();
    return *(volatile uint32_t*)DST_BASE == 1 ? 0 : 1;
}
"""
FIRMWARE_KERNEL = """sfpload L0, INT32, ADDR_MOD_3, 0
sfpshft -31, L0, L0, 1
sfpstore L0, INT32, ADDR_MOD_3, 0
"""

# The driver in C, called from C++, with windows that are ordinary memory: a cell of 32 bits at address 8 lies in rows 16 to 19
# and 24 to 27 of Dst (docs/integration.md).
DRIVER_PROGRAM = """#include "sfpu_unit.h"
static uint32_t push;
static uint16_t dst[1024][16];
int main() {
    const sfpu_unit unit = sfpu_unit_at(reinterpret_cast<uintptr_t>(&push), reinterpret_cast<uintptr_t>(dst));
    sfpu_unit_write32(&unit, 8, 31, 0x12345678);
    sfpu_unit_wait(&unit);
    return push == 0x8f000000 && dst[19][14] == 0x1234 && dst[27][14] == 0x5678 &&
           sfpu_unit_read32(&unit, 8, 31) == 0x12345678 ? 0 : 1;
}
"""

HEADER_WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-fsyntax-only",
                   "-DARCH_BLACKHOLE"] # kernels say for which chip they are


def run(*command, fails=False, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, **options)
    if (done.returncode != 0) != fails:
        sys.exit("%s: exit code %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


def expect(text, *parts):
    """All parts, however the message is broken into lines."""
    flat = " ".join(text.split())
    for part in parts:
        if part not in flat:
            sys.exit("%r is missing in:\n%s" % (part, text))


def write(folder, **files):
    os.makedirs(folder, exist_ok=True)
    for name, text in files.items():
        with open(os.path.join(folder, name.replace("__", ".")), "w") as file:
            file.write(text)


def install(work):
    prefix = os.path.join(work, "prefix")
    run(CMAKE, "--install", BUILD_DIR, "--prefix", prefix)
    return prefix


def compiler():
    with open(os.path.join(BUILD_DIR, "CMakeCache.txt")) as cache:
        return next(line.split("=", 1)[1].strip() for line in cache if line.startswith("CMAKE_CXX_COMPILER:"))


def fake_systemc(work):
    fake = os.path.join(work, "fake")
    write(fake, SystemCLanguageConfig__cmake=FAKE_PACKAGE)
    write(os.path.join(fake, "include"), systemc=FAKE_HEADER, tlm="")
    return fake


def outside(work, prefix, arguments, more="", **options):
    """Configures a project that only asks for the package; its folder is used again, compilers and all."""
    source, build = os.path.join(work, "source"), os.path.join(work, "build")
    write(source, CMakeLists__txt=PROJECT % (arguments, more))
    definitions = options.pop("definitions", [])
    return run(CMAKE, "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix,
               "-DCMAKE_CXX_COMPILER=" + compiler(), *definitions, **options)


def pkg_config(prefix, *arguments):
    folders = [found for found, _, names in os.walk(prefix) if any(name.endswith(".pc") for name in names)]
    return run("pkg-config", *arguments, env=dict(os.environ, PKG_CONFIG_PATH=":".join(folders))).split()


def components(work):
    prefix = install(work)
    outside(work, prefix, "0.1 REQUIRED COMPONENTS core vector_unit tile kernel_recorder", """foreach(name core vector_unit tile kernel_recorder)
    if(NOT TARGET SfpuTlm::${name} OR NOT SfpuTlm_${name}_FOUND)
        message(FATAL_ERROR "no ${name}")
    endif()
endforeach()""")
    expect(outside(work, prefix, "REQUIRED COMPONENTS vector_unit warp_drive", fails=True),
           "SfpuTlm has no component 'warp_drive', expected one of", "vector_unit")
    outside(work, prefix, "REQUIRED COMPONENTS vector_unit OPTIONAL_COMPONENTS warp_drive", """if(SfpuTlm_warp_drive_FOUND)
    message(FATAL_ERROR "it has warp_drive")
endif()""")


def versions(work):
    prefix = install(work)
    for accepted in ("0.1", "0.1.0 EXACT", "0.1...<0.3", "0.0.5...0.1", "0"):
        outside(work, prefix, accepted + " REQUIRED COMPONENTS core")
    for refused in ("0.2", "1.0", "0.1.1", "0.2...0.9", "0.0.1...<0.1"):
        expect(outside(work, prefix, refused + " REQUIRED COMPONENTS core", fails=True), "0.1.0")


def without_systemc(work):
    """What needs no SystemC does not look for it: here is one that every other component refuses."""
    prefix, fake = install(work), fake_systemc(work)
    definitions = ["-DSystemCLanguage_DIR=" + fake]
    program = """add_executable(recorder main.cpp)
target_link_libraries(recorder PRIVATE SfpuTlm::kernel_recorder SfpuTlm::core)"""
    write(os.path.join(work, "source"), main__cpp="#include <sfpu/isa/disassembler.h>\n#include <cstdio>\nint main() { "
          "std::puts(sfpu::isa::disassemble(0x8f000000u, sfpu::architecture::blackhole).c_str()); }\n")
    outside(work, prefix, "REQUIRED COMPONENTS kernel_recorder core", program, definitions=definitions)
    run(CMAKE, "--build", os.path.join(work, "build"))
    expect(run(os.path.join(work, "build", "recorder")), "sfpnop")


def analysis(work):
    """The answers of the program, from a program of somebody else: without SystemC, and without CLI11 or libedit."""
    prefix, fake = install(work), fake_systemc(work)
    write(os.path.join(work, "source"), main__cpp=ANALYSIS_PROGRAM)
    said = outside(work, prefix, "0.1 REQUIRED COMPONENTS analysis views", """if(NOT TARGET SfpuTlm::optimizer OR NOT TARGET SfpuTlm::equivalence)
    message(FATAL_ERROR "not all libraries are there")
endif()
add_executable(shortest main.cpp)
target_link_libraries(shortest PRIVATE SfpuTlm::analysis SfpuTlm::views)""", definitions=["-DSystemCLanguage_DIR=" + fake])
    for word in ("CLI11", "libedit", "simdjson"):
        if word in said:
            sys.exit("it looks for %s:\n%s" % (word, said))
    run(CMAKE, "--build", os.path.join(work, "build"))
    # One multiplication in one MAD unit, and one word that is issued.
    expect(run(os.path.join(work, "build", "shortest")), "found 1 cycles a row", "it takes what the bound says", "equal")
    run(compiler(), "-std=c++17", os.path.join(work, "source", "main.cpp"), "-o", os.path.join(work, "by_pkg_config"),
        *pkg_config(prefix, "--cflags", "--libs", "sfpu-tlm-views", "sfpu-tlm-analysis"))
    expect(run(os.path.join(work, "by_pkg_config")), "equal")


def without_cadical(work):
    """Only what needs the solver is not there without it, and only who asks for that is told so. Shared libraries bring it along."""
    prefix, missing = install(work), ["-DCADICAL_LIBRARY="]
    shared = glob.glob(os.path.join(prefix, "lib*", "**", "libsfpu_optimizer.so"), recursive=True)
    for component in ("analysis", "optimizer"):
        said = outside(work, prefix, "REQUIRED COMPONENTS " + component, definitions=missing, fails=not shared)
        if not shared:
            expect(said, "SfpuTlm: component %s needs the solver CaDiCaL (Debian: libcadical-dev)" % component)
    outside(work, prefix, "REQUIRED COMPONENTS equivalence lint OPTIONAL_COMPONENTS optimizer", """if(SfpuTlm_optimizer_FOUND)
    message(FATAL_ERROR "it has an optimizer")
endif()""" if not shared else "", definitions=missing)
    outside(work, prefix, "REQUIRED", """foreach(name lint equivalence kernel views tile)
    if(NOT TARGET SfpuTlm::${name})
        message(FATAL_ERROR "no ${name}")
    endif()
endforeach()""", definitions=missing)


def without_libdeflate(work):
    """Only traces need it. A static library leaves it to the program: the package says so when configuring. A shared one brings it
    along."""
    prefix, nothing = install(work), os.path.join(work, "nothing")
    write(nothing)
    shared = glob.glob(os.path.join(prefix, "lib*", "**", "libsfpu_*.so"), recursive=True)
    environment = dict(os.environ, PKG_CONFIG_LIBDIR=nothing, PKG_CONFIG_PATH="")
    outside(work, prefix, "REQUIRED COMPONENTS core views", env=environment)
    for arguments in ("REQUIRED COMPONENTS traces", "REQUIRED"):
        said = outside(work, prefix, arguments, fails=not shared, env=environment)
        if not shared:
            expect(said, "component traces needs libdeflate", "no pkg-config module libdeflate")


def headers_with_systemc(include):
    """Public headers that lead to SystemC, and to nothing that refuses another one."""
    includes = {}
    for name in glob.glob(include + "/sfpu/**/*.h", recursive=True):
        with open(name) as file:
            includes[os.path.relpath(name, include)] = re.findall(r"^#include [<\"]([^>\"]+)[>\"]", file.read(), re.MULTILINE)

    def reached(name):
        seen, open_ones = {name}, [name]
        while open_ones:
            new = set(includes.get(open_ones.pop(), [])) - seen
            seen |= new
            open_ones += new
        return seen

    with_systemc = {name: reached(name) for name in includes}
    with_systemc = {name: found for name, found in with_systemc.items()
                    if any(re.match(r"systemc|tlm\b|tlm_utils/", each) for each in found)}
    if len(with_systemc) < 30:
        sys.exit("found only the headers %s" % sorted(with_systemc))
    return sorted(name for name, found in with_systemc.items() if "sfpu/common/systemc_version.h" not in found)


def another_systemc(work):
    """Refused when configuring, and when compiling by those who do without CMake."""
    prefix, fake = install(work), fake_systemc(work)
    expect(outside(work, prefix, "REQUIRED", definitions=["-DSystemCLanguage_DIR=" + fake], fails=True),
           "SfpuTlm was built with SystemC 2.3.4, but SystemC 3.0.1 was found")
    write(work, main__cpp="#include <sfpu/dst/slice_protocol.h>\n")
    text = run(compiler(), "-std=c++17", "-I", os.path.join(fake, "include"), "-I", os.path.join(prefix, "include"),
               "-fsyntax-only", os.path.join(work, "main.cpp"), fails=True)
    expect(text, "SFPU-TLM was built with SystemC 2.3.4, but this program is compiled with SystemC 3.0.1")
    unprotected = headers_with_systemc(os.path.join(prefix, "include"))
    if unprotected:
        sys.exit("without a word they take any SystemC: %s" % unprotected)
    # The script that builds one from its sources knows what those are.
    script = os.path.join(SOURCE_DIR, "tests", "support", "with_systemc")
    expect(run(script, fake, fails=True), "expected the sources of SystemC")
    expect(run(script, fake, "--standard", "14", fails=True), "found '14', expected 17 or 20")


def pkg_config_files(work):
    prefix = install(work)
    write(work, main__cpp=TILE_PROGRAM)
    program = os.path.join(work, "program")
    run(compiler(), "-std=c++17", os.path.join(work, "main.cpp"), "-o", program,
        *pkg_config(prefix, "--cflags", "--libs", "sfpu-tlm-tile >= 0.1"))
    expect(run(program), "pushes to unit")
    # With all that a library leaves to others, whole.
    write(work, empty__cpp="extern \"C\" int sc_main(int, char*[]) { return 0; }\nint main() { return 0; }\n")
    files = sorted(os.path.basename(name)[:-3] for name in glob.glob(prefix + "/**/sfpu-tlm-*.pc", recursive=True))
    if len(files) < 15:
        sys.exit("found only the pkg-config files %s" % files)
    for name in ("core", "traces", "kernel_headers", "equivalence", "analysis", "views", "tile"):
        words = pkg_config(prefix, "--libs", "sfpu-tlm-" + name)
        ours = [word for word in words if word.startswith("-lsfpu_")]
        run(compiler(), "-std=c++17", os.path.join(work, "empty.cpp"), "-o", os.path.join(work, "empty"),
            *[word for word in words if word.startswith("-L")], "-Wl,--whole-archive", *ours, "-Wl,--no-whole-archive",
            *[word for word in words if word.startswith("-l") and word not in ours])


def shared_library(work):
    """All our archives, whole, in somebody's shared library: the code is position-independent."""
    prefix = install(work)
    archives = sorted(glob.glob(os.path.join(prefix, "lib*", "**", "libsfpu_*.a"), recursive=True))
    if len(archives) < 15:
        sys.exit("found only the archives %s" % archives)
    plugin = os.path.join(work, "libplugin.so")
    run(compiler(), "-shared", "-o", plugin, "-Wl,--whole-archive", *archives, "-Wl,--no-whole-archive",
        *[word for word in pkg_config(prefix, "--libs", "sfpu-tlm-analysis", "sfpu-tlm-tile", "sfpu-tlm-traces")
          if not word.startswith("-lsfpu_")])
    expect(run("nm", "-DC", "--defined-only", plugin), "sfpu::vector_unit::reset", "sfpu::isa::assemble", "sfpu::analysis::optimize")


def firmware_kit(work):
    if not shutil.which("riscv64-unknown-elf-gcc") and not shutil.which("riscv32-unknown-elf-gcc"):
        sys.exit(SKIPPED)
    prefix = install(work)
    write(os.path.join(work, "source"), main__c=FIRMWARE, signs__s=FIRMWARE_KERNEL)
    outside(work, prefix, "REQUIRED COMPONENTS firmware program",
            "sfpu_add_firmware(signs SOURCES main.c KERNELS signs.s)")
    build = os.path.join(work, "build")
    run(CMAKE, "--build", build)
    run(os.path.join(prefix, "bin", "sfpusim"), "tile", os.path.join(build, "signs.elf"))


def foreign_core(work):
    """A core outside of the tile drives the unit by the driver in C; that waits no less than it must."""
    if not shutil.which("riscv64-unknown-elf-gcc") and not shutil.which("riscv32-unknown-elf-gcc"):
        sys.exit(SKIPPED)
    prefix, source, build = install(work), os.path.join(work, "source"), os.path.join(work, "build")
    shutil.copytree(os.path.join(SOURCE_DIR, "platforms", "foreign_core"), source)
    run(CMAKE, "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix,
        "-DCMAKE_CXX_COMPILER=" + compiler(), "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Werror")
    run(CMAKE, "--build", build)
    program = [os.path.join(build, "foreign_core"), os.path.join(build, "program.elf")]
    expect(run(*program), "the program ended with 1,")
    # By other compilers for other cores, and from C++.
    driver = os.path.join(prefix, "share", "sfpu-tlm", "firmware", "sfpu_unit.c")
    include = os.path.join(os.path.dirname(driver), "include")
    write(work, main__cpp=DRIVER_PROGRAM)
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-I", include]
    run("cc", "-std=c99", "-ffreestanding", *warnings, "-c", driver, "-o", os.path.join(work, "driver.o"))
    run(compiler(), *warnings, os.path.join(work, "main.cpp"), os.path.join(work, "driver.o"), "-o", os.path.join(work, "host"))
    run(os.path.join(work, "host"))
    # Without the wait the last results are not there yet: main() returns 2.
    with open(driver) as file:
        text = file.read()
    write(os.path.dirname(driver), sfpu_unit__c="#define SFPU_UNIT_DRAIN_WORDS 1u\n" + text)
    run(CMAKE, "--build", build)
    expect(run(*program, fails=True), "the program ended with 5,")


def printed(page, name):
    return re.search(r"`%s`:\n\n```\w*\n(.*?)```" % re.escape(name), page, re.DOTALL).group(1)


def build_printed(work, prefix, **files):
    """A project made of blocks of docs/integration.md."""
    source, build = os.path.join(work, "source"), os.path.join(work, "build")
    with open(os.path.join(SOURCE_DIR, "docs", "integration.md"), encoding="utf-8") as file:
        page = file.read()
    write(source, **{name: printed(page, block) for name, block in files.items()})
    run(CMAKE, "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix,
        "-DCMAKE_CXX_COMPILER=" + compiler(), "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Werror")
    run(CMAKE, "--build", build)
    return build


def five_minutes(work):
    """The integrator's half hour in docs/tutorial.md: its files, its commands, and what they print."""
    with open(os.path.join(SOURCE_DIR, "docs", "tutorial.md"), encoding="utf-8") as file:
        page = file.read().partition("\n## Integrator\n")[2]
    place, prefix = os.path.join(work, "platform"), install(work)
    os.makedirs(place)
    now = played(page.replace("/opt/sfpu-tlm", prefix), place, os.path.join(prefix, "bin"), lambda kind, text: kind == "package",
                 CXX=compiler(), CMAKE_GENERATOR="Ninja", CXXFLAGS="-Wall -Wextra -Wpedantic -Wshadow -Werror").replace(prefix, "/opt/sfpu-tlm")
    difference = first_difference(page, now)
    if difference:
        with open(os.path.join(place, "log"), encoding="utf-8") as log:
            sys.exit("docs/tutorial.md, line %d of the integrator: found %r, the page has %r\n%s" % (difference[0], difference[2], difference[1], log.read()))


def ten_minutes(work):
    """The board of docs/integration.md, as it is printed."""
    if not shutil.which("riscv64-unknown-elf-gcc") and not shutil.which("riscv32-unknown-elf-gcc"):
        sys.exit(SKIPPED)
    build = build_printed(work, install(work), CMakeLists__txt="board/CMakeLists.txt", main__cpp="board/main.cpp",
                          firmware__c="board/firmware.c", twice__s="board/twice.s")
    expect(run(os.path.join(build, "my_board"), os.path.join(build, "twice_on_core.elf")), "64 of 64 doubled at ")


def non_blocking(work):
    """nb_transport_fw gives what b_transport gives, when it gives it."""
    prefix, program = install(work), os.path.join(work, "program")
    source = os.path.join(SOURCE_DIR, "tests", "platforms", "vp_consumer", "non_blocking.cpp")
    run(compiler(), "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", source, "-o", program,
        *pkg_config(prefix, "--cflags", "--libs", "sfpu-tlm-vector_unit"))
    expect(run(program), "the same")


def headers(work):
    """All public headers together with each compiler and standard, and each alone, have no warning. A header that one of our
    sources includes first stands alone there already; what is not ours is precompiled for the others. By night each is compiled
    in all ways from nothing."""
    include = os.path.join(install(work), "include")
    published = os.path.join(include, "sfpu", "kernel_recorder", "published")
    names = sorted(os.path.relpath(name, include) for name in glob.glob(include + "/sfpu/**/*.h", recursive=True)
                   if not name.endswith("-inl.h")) # those are for foreach_target.h
    if len(names) < 100:
        sys.exit("found only the headers %s" % names)
    compilers = [found for found in ("g++", "clang++") if shutil.which(found)]
    ways = [(each, standard) for each in compilers for standard in ("c++17", "c++20")]
    flags = HEADER_WARNINGS + ["-I", include, "-I", published]

    def compile_with(way, *more, text):
        write(work, header__cpp=text)
        run(way[0], "-std=" + way[1], *flags, *more, os.path.join(work, "header.cpp"))

    plain = [name for name in names if os.path.dirname(os.path.join(include, name)) != published]
    for way in ways:
        compile_with(way, text="".join("#include <%s>\n" % name for name in plain))

    if os.environ.get("SFPU_NIGHTLY"):
        for name in names:
            for way in ways:
                compile_with(way, text="#include <%s>\n" % name)
        return
    sources = [name for folder in ("models", "platforms", "traces", "analysis", "views", "bindings", "sc_main")
               for name in glob.glob(SOURCE_DIR + "/" + folder + "/**/*.cpp", recursive=True)]
    included_first = set()
    for name in sources:
        with open(name) as file:
            included_first |= set(re.findall(r"^#include [<\"]([^>\"]+)[>\"]", file.read(), re.MULTILINE)[:1])
    names = [name for name in names if name not in included_first]
    if len(names) < 50 or len(included_first) < 150:
        sys.exit("%d headers to compile, %d that a source includes first" % (len(names), len(included_first)))
    foreign = set()
    for name in names:
        with open(os.path.join(include, name)) as file:
            foreign |= set(re.findall(r"^#include <((?!sfpu/)[\w/.+-]+)>", file.read(), re.MULTILINE))
    write(work, foreign__h="".join("#include <%s>\n" % name for name in sorted(foreign)))
    # Clang reads what is precompiled in half the time.
    way = next((each for each in ways if each[0] == "clang++"), ways[0])
    header = os.path.join(work, "foreign.h")
    precompiled = header + (".pch" if way[0] == "clang++" else ".gch")
    run(way[0], "-std=" + way[1], *[flag for flag in flags if flag != "-fsyntax-only"], "-x", "c++-header", header, "-o", precompiled)
    use = ["-include-pch", precompiled] if way[0] == "clang++" else ["-Winvalid-pch", "-include", header]
    for name in names:
        compile_with(way, *use, text="#include <%s>\n" % name)


def later_standard(work):
    """Sources compile in C++20 with each compiler: one that Clang 14 once refused, by night all of the libraries."""
    include = os.path.join(install(work), "include")
    sources = [os.path.join(SOURCE_DIR, "analysis", "lint", "src", "trace_hazards.cpp")]
    if os.environ.get("SFPU_NIGHTLY"):
        sources = sorted(glob.glob(SOURCE_DIR + "/models/*/src/*.cpp") + glob.glob(SOURCE_DIR + "/models/*/core/src/*.cpp")
                         + glob.glob(SOURCE_DIR + "/platforms/*/src/*.cpp") + glob.glob(SOURCE_DIR + "/traces/src/*.cpp")
                         + glob.glob(SOURCE_DIR + "/analysis/*/src/*.cpp"))
        sources = [source for source in sources if os.sep + "optimizer" + os.sep not in source] # needs the solver
    # Those of our own builds; conversions are looked at in headers, which others compile with their warnings.
    warnings = [each for each in HEADER_WARNINGS if each != "-Wconversion"] + ["-Wno-unknown-pragmas"]
    for each in ("g++", "clang++"):
        for source in sources if shutil.which(each) else []:
            run(each, "-std=c++20", *warnings, "-I", include, "-I", os.path.dirname(source), source)


def uninstall(work):
    """Takes back what was installed, and nothing that was there before. The list is one of its own, as other tests install from
    the same build."""
    prefix = install(work)
    files = [os.path.join(folder, name) for folder, _, names in os.walk(prefix) for name in names]
    if not os.path.join(prefix, "include", "sfpu", "tile", "tile.h") in files:
        sys.exit("nothing was installed")
    write(os.path.join(prefix, "lib"), of_others="kept\n")
    write(work, manifest__txt="\n".join(files))
    script = os.path.join(SOURCE_DIR, "cmake", "SfpuUninstall.cmake")
    run(CMAKE, "-DMANIFEST=" + os.path.join(work, "manifest.txt"), "-P", script)
    left = [os.path.relpath(os.path.join(folder, name), prefix) for folder, folders, names in os.walk(prefix)
            for name in folders + names]
    if "lib/of_others" not in left or any("sfpu" in name.lower() for name in left):
        sys.exit("left behind: %s" % left)
    expect(run(CMAKE, "-DMANIFEST=" + os.path.join(work, "none"), "-P", script, fails=True), "expected the list")


def debian(work):
    if not shutil.which("dpkg-deb") or not shutil.which("cpack"):
        sys.exit(SKIPPED)
    run("cpack", "--config", os.path.join(BUILD_DIR, "CPackConfig.cmake"), "-B", work, cwd=work)
    packages = {os.path.basename(name).split("_")[0]: name for name in glob.glob(os.path.join(work, "*.deb"))}
    if sorted(packages) != ["libsfpu-tlm-dev", "sfpusim"]:
        sys.exit("found the packages %s" % sorted(packages))
    root = os.path.join(work, "root")
    for package in packages.values():
        run("dpkg-deb", "-x", package, root)
    expect(run("dpkg-deb", "-f", packages["libsfpu-tlm-dev"], "Depends"), "libsystemc-dev", "libfmt-dev", "libdeflate-dev")
    expect(run("dpkg-deb", "-f", packages["libsfpu-tlm-dev"], "Recommends"), "libcadical-dev, libz3-dev")
    expect(run("dpkg-deb", "-f", packages["sfpusim"], "Depends"), "libsystemc", "libdeflate", "libc6")
    program = os.path.join(root, "usr", "bin", "sfpusim")
    expect(run(program, "--version"), "sfpusim 0.1.0")
    expect(run(program, "run", os.path.join(SOURCE_DIR, "kernels", "signbit.s")), "cycles a row")
    for folder, _, names in os.walk(root):
        for name in names:
            if not folder.startswith(os.path.join(root, "usr")):
                sys.exit("the packages install %s" % os.path.join(folder, name))
    share = os.path.join(root, "usr", "share")
    with gzip.open(os.path.join(share, "man", "man1", "sfpusim.1.gz"), "rt") as page:
        expect(page.read(), ".SH sfpusim schedule", "\\-\\-html FILE")
    for name in ("doc/sfpusim/copyright", "doc/libsfpu-tlm-dev/copyright", "bash-completion/completions/sfpusim", "sfpu-tlm/kernels/mul32_macro.s",
                 "sfpu-tlm/kernels/optimized/square.s"):
        if not os.path.isfile(os.path.join(share, name)):
            sys.exit("the packages do not have %s" % name)
    if not glob.glob(os.path.join(share, "zsh", "*", "_sfpusim")):
        sys.exit("the packages have no completion for zsh")
    if shutil.which("lintian"):
        told = subprocess.run(["lintian", "--fail-on", "error", "--allow-root", *packages.values()], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)
        if told.returncode != 0:
            sys.exit("lintian: %s" % told.stdout)
    # Configured from the unpacked folder, wherever it lies.
    outside(work, os.path.join(root, "usr"), "0.1 REQUIRED COMPONENTS tile program")
    write(work, main__cpp=TILE_PROGRAM)
    run(compiler(), "-std=c++17", os.path.join(work, "main.cpp"), "-o", os.path.join(work, "program"),
        *pkg_config(root, "--cflags", "--libs", "sfpu-tlm-tile"))
    expect(run(os.path.join(work, "program")), "pushes to unit")


CASES = {case.__name__: case for case in (components, versions, without_systemc, analysis, without_cadical, without_libdeflate, another_systemc, pkg_config_files,
                                          shared_library, firmware_kit, foreign_core, five_minutes, ten_minutes,
                                          non_blocking, headers, later_standard, uninstall, debian)}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        CASES[CASE](directory)
