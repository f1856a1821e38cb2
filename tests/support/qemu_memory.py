"""Runs a bare RISC-V program under QEMU up to a symbol and reads memory there, through QEMU's debugger port."""
import pathlib
import socket
import subprocess
import tempfile
import time

PROGRAM = "qemu-system-riscv32"


class _debugger:
    """As much of GDB's remote protocol as reading memory at a breakpoint takes."""

    def __init__(self, path, deadline):
        self.socket = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.socket.connect(path)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
        self.socket.settimeout(max(1, deadline - time.monotonic()))
        self.buffer = b""

    def _read(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("QEMU closed the debugger port")
        self.buffer += data

    def ask(self, command):
        packet = command.encode()
        self.socket.sendall(b"$%s#%02x" % (packet, sum(packet) & 0xff))
        while True:
            begin = self.buffer.find(b"$")
            end = self.buffer.find(b"#", begin + 1)
            if begin < 0 or end < 0 or len(self.buffer) < end + 3:
                self._read()
                continue
            answer = self.buffer[begin + 1:end].decode()
            self.buffer = self.buffer[end + 3:]
            self.socket.sendall(b"+")
            return answer


def memory_at(elf, stop, address, length, timeout=60):
    """The bytes of memory when the program reaches the address `stop`."""
    deadline = time.monotonic() + timeout
    with tempfile.TemporaryDirectory() as directory:
        port = str(pathlib.Path(directory) / "gdb")
        qemu = subprocess.Popen(
            [PROGRAM, "-M", "spike", "-cpu", "rv32,c=false", "-bios", str(elf), "-display", "none", "-monitor", "none",
             "-serial", "none", "-S", "-gdb", f"unix:{port},server=on,wait=off"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        debugger = None
        try:
            debugger = _debugger(port, deadline)
            debugger.ask("?")
            assert debugger.ask(f"Z0,{stop:x},4") == "OK"
            assert debugger.ask("c").startswith("T"), "the program did not reach the place"
            data = b""
            while len(data) < length:
                part = min(1024, length - len(data))
                data += bytes.fromhex(debugger.ask(f"m{address + len(data):x},{part:x}"))
            return data
        finally:
            if debugger:
                debugger.socket.close()
            qemu.kill()
            qemu.wait()
