"""What the tests of `explore` share: files in the working directory, and kernels whose results depend on the machine.

    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
    from explore_files import SLOW, timed_kernel, write
"""
import json

# Longer than any limit that a test sets.
SLOW = ".rows 100000000\n.loop\n" + 16 * "    sfpmad L0, L1, L2, L3, 0\n    sfpmad L3, L1, L2, L0, 0\n"


def timed_kernel(rows):
    """x * x + x, stored two cycles later, which is right for the chip's latency only; Wormhole does not stall."""
    return """\
.arch wh
.rows %d
.init
    setc16   24, 2              ; ADDR_MOD_1: Dst += 2
.loop
    sfpload  L0, FP32, ADDR_MOD_3, 0
    sfpmad   L0, L0, L0, L1, 0
    sfpnop
    sfpstore L1, FP32, ADDR_MOD_1, 64
""" % rows


def write(name, content):
    """Text as it is, anything else as JSON."""
    with open(name, "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))


def read(name):
    with open(name, "rb") as file:
        return file.read()
