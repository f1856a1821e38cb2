#!/usr/bin/env python3
"""SFPU-TLM in other people's builds: installs the package into a fresh directory and builds platforms/vp_consumer with
it, or with the sources as a subdirectory, or shows that what does not fit is refused when configuring.

usage: consumer.py CASE BUILD_DIR SOURCE_DIR CMAKE      CASE: one of the functions below
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

CASE, BUILD_DIR, SOURCE_DIR, CMAKE = sys.argv[1:5]
CONSUMER = os.path.join(SOURCE_DIR, "platforms", "vp_consumer")


def run(*command, fails=False, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, **options)
    if (done.returncode != 0) != fails:
        sys.exit("%s: exit code %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


def install(work):
    prefix = os.path.join(work, "prefix")
    run(CMAKE, "--install", BUILD_DIR, "--prefix", prefix)
    return prefix


def configure(build, *definitions, **options):
    launcher = shutil.which("ccache")
    if launcher:
        definitions += ("-DCMAKE_CXX_COMPILER_LAUNCHER=" + launcher,)
    return run(CMAKE, "-S", CONSUMER, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
               "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g0", *definitions, **options)


def expect(text, *parts):
    """All parts, however the message is broken into lines."""
    flat = " ".join(text.split())
    for part in parts:
        if part not in flat:
            sys.exit("%r is missing in:\n%s" % (part, text))


def build_and_run(build, target="all"):
    run(CMAKE, "--build", build, "--target", target)
    expect(run(os.path.join(build, "vp_consumer")),
           "multiplier (Blackhole): 256 of 256 results right, 40 cycles, 32 instructions, DMI refused",
           "adder (Wormhole): 256 of 256 results right, 40 cycles, 40 instructions, DMI refused",
           "board.tile_a: 16 of 16 results right, exit code 1, interrupt cause 80000007, the board finished",
           "board.tile_b: 16 of 16 results right, exit code 1, interrupt cause 80000007, the board finished")


def find_package(work):
    prefix, build = install(work), os.path.join(work, "build")
    configure(build, "-DCMAKE_PREFIX_PATH=" + prefix)
    build_and_run(build)
    words = os.path.join(build, "add_one.s")
    expect(run(os.path.join(prefix, "bin", "sfpusim"), "run", words), "4.00 cycles a row")


SHARED_PROJECT = """cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_EXTENSIONS OFF)
find_package(SfpuTlm 0.1 REQUIRED COMPONENTS tile isa)
add_executable(outside main.cpp)
target_link_libraries(outside PRIVATE SfpuTlm::tile SfpuTlm::isa)
"""
SHARED_PROGRAM = """#include <sfpu/isa/assembler.h>
#include <sfpu/tile/tile.h>
#include <cstdio>
int sc_main(int, char*[]) {
    sfpu::tile tile("tile", sfpu::parameters{});
    const auto kernel = sfpu::isa::assemble("sfpnop", "kernel", sfpu::architecture::blackhole);
    std::printf("outside %zu %s\\n", kernel.program.loop.size(), tile.tsock.name());
    return 0;
}
"""


def add_subdirectory(work):
    """Here with shared libraries and Clang, which other builds of the tests do without."""
    build = os.path.join(work, "build")
    clang = shutil.which("clang++")
    configure(build, "-DSFPU_TLM_SOURCE_DIR=" + SOURCE_DIR, "-DSFPU_TLM_SHARED=ON", "-DSFPU_TLM_UNITY=ON",
              *(["-DCMAKE_CXX_COMPILER=" + clang] if clang else []))
    build_and_run(build, "vp_consumer")
    expect(run("readelf", "-d", os.path.join(build, "vp_consumer")), "libsfpu_vector_unit.so")
    shared_libraries_can_be_installed(work, build)


def shared_libraries_can_be_installed(work, build):
    """By a project that is told nothing about them, from a folder to which the installed one was moved."""
    run(CMAKE, "--build", build, "--target", "sfpu-tlm/all")
    run(CMAKE, "--install", os.path.join(build, "sfpu-tlm"), "--prefix", os.path.join(work, "first"))
    prefix, source, own = os.path.join(work, "moved"), os.path.join(work, "source"), os.path.join(work, "own")
    os.rename(os.path.join(work, "first"), prefix)
    os.makedirs(source)
    for name, text in (("CMakeLists.txt", SHARED_PROJECT), ("main.cpp", SHARED_PROGRAM)):
        with open(os.path.join(source, name), "w") as file:
            file.write(text)
    run(CMAKE, "-S", source, "-B", own, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix)
    run(CMAKE, "--build", own)
    # Other build trees must not help.
    shutil.rmtree(os.path.join(build, "sfpu-tlm"))
    expect(run(os.path.join(own, "outside")), "outside 1 tile.tsock")
    libraries = run("ldd", os.path.join(own, "outside"))
    expect(libraries, os.path.join(prefix, "lib"))
    if "not found" in libraries:
        sys.exit(libraries)


def another_standard(work):
    """SystemC's library accepts only programs of its own C++ standard."""
    text = configure(os.path.join(work, "build"), "-DCMAKE_PREFIX_PATH=" + install(work), "-DCMAKE_CXX_STANDARD=20",
                     fails=True)
    expect(text, "was built for C++17, but SfpuTlm is used with C++20")


def older_systemc(work):
    """A SystemC 2.3.3 that consists of its version only, found as a CMake package."""
    fake = os.path.join(work, "fake")
    os.makedirs(os.path.join(fake, "include"))
    with open(os.path.join(fake, "include", "systemc"), "w") as header:
        header.write("#define SC_VERSION_MAJOR 2\n#define SC_VERSION_MINOR 3\n#define SC_VERSION_PATCH 3\n")
    with open(os.path.join(fake, "SystemCLanguageConfig.cmake"), "w") as package:
        package.write("add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)\n"
                      "target_include_directories(SystemC::systemc INTERFACE \"${CMAKE_CURRENT_LIST_DIR}/include\")\n")
    text = configure(os.path.join(work, "build"), "-DCMAKE_PREFIX_PATH=" + install(work),
                     "-DSystemCLanguage_DIR=" + fake, fails=True)
    expect(text, "SfpuTlm needs SystemC 2.3.4 or later, found SystemC 2.3.3")


def install_after_run(work):
    """What ./run builds is enough for cmake --install: no library is installed that its target does not build."""
    with open(os.path.join(SOURCE_DIR, "run")) as script:
        target = re.search(r"--target (\w+)", script.read()).group(1)
    prefix = install(work)
    commands = run("ninja", "-C", BUILD_DIR, "-t", "commands", target)
    built = set(re.findall(r" (?:qc|-o) \S*?([^/ ]+)(?= )", commands))
    installed = {name for folder in ("lib", "bin") for _, _, names in os.walk(os.path.join(prefix, folder))
                 for name in names if name.endswith(".a") or name == "sfpusim"}
    if "sfpusim" not in installed or len(installed) < 10:
        sys.exit("what is installed looks incomplete: %s" % sorted(installed))
    if installed - built:
        sys.exit("./run builds the target %s, which leaves out %s" % (target, sorted(installed - built)))


CASES = {case.__name__: case for case in (find_package, add_subdirectory, another_standard, older_systemc, install_after_run)}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        CASES[CASE](directory)
