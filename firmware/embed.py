#!/usr/bin/env python3
"""Writes an ELF file without debug information as a C++ header: python3 embed.py PROGRAM.elf HEADER.h NAME

With --check instead of writing, says whether the header's program loads the same bytes as the ELF file. Symbol tables
may differ, since compilers name sections and files in them."""
import pathlib
import re
import struct
import sys


def segments(data):
    """Physical address and contents of what is loaded."""
    table, = struct.unpack_from("<I", data, 28)
    size, count = struct.unpack_from("<HH", data, 42)
    found = []
    for i in range(count):
        kind, offset, _, address, in_file, in_memory = struct.unpack_from("<6I", data, table + i * size)
        if kind == 1:
            found.append((address, data[offset:offset + in_file], in_memory))
    return found


def embedded(header):
    body = header[header.index("{") + 1:header.rindex("}")]
    return bytes(int(byte, 16) for byte in re.findall(r"0x([0-9a-f]{2})\b", body))


def header_text(data, name):
    lines = [f"// The program of firmware/{name}.S as an ELF file, made by firmware/embed.py. A test compares the two.",
             "#pragma once", "", "namespace sfpu::cli {", "", f"constexpr unsigned char {name}_elf[] = {{"]
    for at in range(0, len(data), 18):
        lines.append("    " + " ".join(f"0x{byte:02x}," for byte in data[at:at + 18]))
    return "\n".join(lines + ["};", "", "} // namespace sfpu::cli"]) + "\n"


def main():
    check = "--check" in sys.argv
    elf, header, name = [word for word in sys.argv[1:] if word != "--check"]
    data = pathlib.Path(elf).read_bytes()
    path = pathlib.Path(header)
    if not check and b".debug_" in data:
        sys.exit(f"{elf} has debug information, which names folders of this machine; strip a copy with "
                 "riscv64-unknown-elf-strip --strip-debug -o COPY")
    if not check:
        path.write_text(header_text(data, name))
    elif segments(embedded(path.read_text())) != segments(data):
        sys.exit(f"{header} is not the program {elf}; renew it with {sys.argv[0]} {elf} {header} {name}")


main()
