"""Where the headers and libraries lie that functions of C++ files are recorded with."""
import os
import shutil


def kernel_kit_folder() -> str:
    """The folder with kernel_kit.json: of the build tree that this package lies in, else of the program sfpusim that the shell
    finds. Empty if there is none: a wheel has no kit, as it would need the libraries of the machine that it was made on."""
    program = shutil.which("sfpusim")
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for prefix in [os.path.dirname(package)] + ([os.path.dirname(os.path.dirname(os.path.realpath(program)))] if program else []):
        folder = os.path.join(prefix, "share", "sfpu-tlm")
        if os.path.exists(os.path.join(folder, "kernel_kit.json")):
            return folder
    return ""
