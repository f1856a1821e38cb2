"""The symbols of a 32-bit little-endian ELF file, read without the project's own loader."""
import pathlib
import struct


def symbols(path):
    """Values by name."""
    data = pathlib.Path(path).read_bytes()
    table, = struct.unpack_from("<I", data, 32)
    entry_size, count = struct.unpack_from("<HH", data, 46)
    sections = [struct.unpack_from("<10I", data, table + i * entry_size) for i in range(count)]
    found = {}
    for _, kind, _, _, offset, size, link, _, _, entry in sections:
        if kind != 2:  # SHT_SYMTAB
            continue
        names = sections[link][4]
        for at in range(offset, offset + size, entry):
            name, value = struct.unpack_from("<II", data, at)
            end = data.index(b"\0", names + name)
            found[data[names + name:end].decode()] = value
    return found
