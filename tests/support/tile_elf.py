"""Programs for a tile without a compiler: a few instructions of RISC-V and TensorLoad by name, and an ELF file of them."""
import struct

BASE, EXIT = 0x80000000, 0xffb10000
T0, T1, T2, S0, S1 = 5, 6, 7, 8, 9


class Program:
    """Words of one hart from a base on. A trap goes on behind the instruction that caused it, and is counted in x31."""

    def __init__(self, base=BASE):
        self.base, self.words = base, []
        self.li(30, 0)  # where the address of the handler comes
        self.csrw(0x305, 30)

    def add(self, *words):
        self.words += words
        return self

    def immediate(self, code, f3, rd, rs1, value):
        return self.add((value & 0xfff) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | code)

    def register(self, f7, f3, rd, rs1, rs2, code=0x33):
        return self.add(f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | code)

    def li(self, rd, value):
        upper = (value + 0x800) & 0xfffff000
        self.add(upper | rd << 7 | 0x37)
        return self.immediate(0x13, 0, rd, rd, value - upper)

    def load(self, rd, rs1, offset=0, f3=2):
        return self.immediate(0x03, f3, rd, rs1, offset)

    def store(self, rs2, rs1, offset=0, f3=2):
        return self.add((offset >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (offset & 31) << 7 | 0x23)

    def csrw(self, number, rs1):
        return self.add(number << 20 | rs1 << 15 | 1 << 12 | 0x73)

    def csr(self, number, value):
        return self.li(T2, value).csrw(number, T2)

    def fence(self):
        return self.add(0x0ff0000f)

    def use(self, register):
        return self.immediate(0x13, 0, register, register, 0)

    def push(self, *tensix):
        return self.add(*[(word << 2 | word >> 30) & 0xffffffff for word in tensix])

    def loop(self, times, body):
        """Two cycles a round beside the body; counts in t1."""
        self.li(T1, times)
        begin = len(self.words)
        body()
        self.immediate(0x13, 0, T1, T1, -1)
        return self.branch(1, T1, 0, 4 * (begin - len(self.words)))

    def branch(self, f3, rs1, rs2, offset):
        return self.add((offset >> 12 & 1) << 31 | (offset >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 |
                        (offset >> 1 & 15) << 8 | (offset >> 11 & 1) << 7 | 0x63)

    def elf(self):
        """Ends the program, with success."""
        self.li(T0, EXIT).immediate(0x13, 0, T1, 0, 1).store(T1, T0).add(0x0000006f)
        handler = self.base + 4 * len(self.words)
        # csrr x29, mepc; addi x29, x29, 4; csrw mepc, x29; addi x31, x31, 1; mret
        self.add(0x34102ef3, 0x004e8e93, 0x341e9073, 0x001f8f93, 0x30200073)
        upper = (handler + 0x800) & 0xfffff000
        self.words[0] = upper | 30 << 7 | 0x37
        self.words[1] = ((handler - upper) & 0xfff) << 20 | 30 << 15 | 30 << 7 | 0x13
        code = struct.pack("<%dI" % len(self.words), *self.words)
        header = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1" + bytes(9), 2, 243, 1, self.base, 52, 0, 0, 52, 32, 1, 40, 0, 0)
        return header + struct.pack("<IIIIIIII", 1, 84, self.base, self.base, len(code), len(code), 7, 4) + code


# TensorLoad (docs/tensorload.md): base and dimension registers stand where others have rd.
def tl_load(tl, base, imm=0, masked=0, engine=0):
    return engine << 30 | masked << 28 | (imm & 255) << 20 | tl << 15 | base << 7 | 0x5b


def tl_store(tl, base, imm=0, masked=0, f3=2):
    return 2 << 30 | 1 << 29 | masked << 28 | (imm & 255) << 20 | tl << 15 | f3 << 12 | base << 7 | 0x5b


def tl_addi(to, tl, imm):
    return 1 << 30 | (imm & 255) << 20 | tl << 15 | 2 << 12 | to << 7 | 0x5b


def tl_concat(axis, to, a, b):
    return 3 << 30 | axis << 25 | b << 20 | a << 15 | 1 << 12 | to << 7 | 0x5b


def tl_merge(axis, to, a, b):
    return 3 << 30 | (4 | axis) << 25 | b << 20 | a << 15 | 1 << 12 | to << 7 | 0x5b


def tl_xpose(p, q, a, b, dims):
    return 3 << 30 | (q << 2 | p) << 25 | b << 20 | a << 15 | 3 << 12 | dims << 7 | 0x5b
