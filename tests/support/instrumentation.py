"""How the build was instrumented that a program comes from: what is linked with its libraries must be instrumented alike."""
import os
import re
import shutil


def build_of(sfpusim):
    """The folder of the build."""
    return os.path.dirname(os.path.dirname(os.path.abspath(sfpusim)))


def setting(build, name):
    """A setting of the build; empty if it has none of that name."""
    with open(os.path.join(build, "CMakeCache.txt")) as file:
        found = re.search(r"^%s:\w+=(.*)$" % name, file.read(), re.MULTILINE)
    return found.group(1) if found else ""


def compiler(build):
    return setting(build, "CMAKE_CXX_COMPILER") or shutil.which("c++")


def flags(build):
    """Arguments of the compiler; none for a build that is not instrumented."""
    sanitize = {"": [], "OFF": [], "thread": ["-fsanitize=thread"]}
    return (sanitize.get(setting(build, "SFPU_TLM_SANITIZE"), ["-fsanitize=address,undefined"])
            + (["--coverage"] if setting(build, "SFPU_TLM_COVERAGE") in ("ON", "TRUE", "1") else []))
