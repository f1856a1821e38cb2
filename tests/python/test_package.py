"""The package as its users get it: installed by pip without a network, and the README's lines as printed."""
import os
import re
import shutil
import subprocess
import sys


def readme():
    with open(os.path.join(os.environ["SFPU_SOURCE_DIR"], "README.md"), encoding="utf-8") as file:
        return file.read()


def readme_lines():
    block = re.search(r"```python\n(.*?)```", readme(), re.DOTALL)
    assert block
    return block.group(1)


def test_the_lines_of_the_readme_run_from_a_virtual_environment(tmp_path):
    package = os.environ["SFPU_PACKAGE_DIR"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    folder = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(folder)], check=True, env=environment)
    python = str(folder / "bin" / "python")
    # A copy, since pip leaves folders beside what it packs.
    source = tmp_path / "package"
    subprocess.run(["cp", "-r", package, str(source)], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", "--no-build-isolation", "--no-deps", str(source)],
                   check=True, env=environment)
    lines = readme_lines()
    assert len([line for line in lines.splitlines() if line]) <= 8
    done = subprocess.run([python, "-c", lines + "\nprint(sfpu.__file__)"], cwd=os.environ["SFPU_SOURCE_DIR"],
                          capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split("\n")
    assert float(printed[0].split()[0]) < 0.0055 and float(printed[0].split()[1]) == 1.0
    for line in printed[:2]:  # as the README says beneath them
        assert "`%s`" % line in readme()
    assert printed[1] == "1.0 True proved"
    assert printed[2].startswith(str(folder))


def test_the_package_is_typed():
    import sfpu

    folder = os.path.dirname(sfpu.__file__)
    assert os.path.exists(os.path.join(folder, "py.typed")) and os.path.exists(os.path.join(folder, "_core.pyi"))
    for name in sfpu.__all__:
        assert getattr(sfpu, name).__doc__, name
    # The stub names exactly what the module has.
    with open(os.path.join(folder, "_core.pyi"), encoding="utf-8") as file:
        text = file.read()
    declared = set(re.findall(r"^    def (\w+)\(", text, re.MULTILINE)) - {"__init__"}
    assert declared == {name for each in (sfpu._core.Unit, sfpu._core.Answer) for name in dir(each) if not name.startswith("_")}
    declared = set(re.findall(r"^(?:def |class )?([a-z_]+|Unit|Answer)[(:]", text, re.MULTILINE))
    assert declared == {name for name in dir(sfpu._core) if not name.startswith("_")}


def test_a_type_checker_finds_nothing_in_the_package(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "sfpu"],
                          cwd=os.environ["SFPU_PACKAGE_DIR"], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_kit_for_cpp_is_that_of_the_build_or_of_the_program_and_a_wheel_has_none(tmp_path):
    source = os.path.join(os.environ["SFPU_PACKAGE_DIR"], "sfpu", "_kernel_kit.py")
    wheel, installed = tmp_path / "site" / "sfpu", tmp_path / "installed"
    for folder in (wheel, installed / "bin", installed / "share" / "sfpu-tlm"):
        os.makedirs(folder)
    shutil.copy(source, wheel)
    shutil.copy("/bin/true", installed / "bin" / "sfpusim")
    (installed / "share" / "sfpu-tlm" / "kernel_kit.json").write_text("{}")

    def folder_for(file, path):
        lines = "import runpy, sys; print(runpy.run_path(sys.argv[1])['kernel_kit_folder']())"
        return subprocess.run([sys.executable, "-c", lines, str(file)], env={"PATH": path}, capture_output=True, text=True,
                              check=True).stdout.strip()

    assert os.path.exists(os.path.join(folder_for(source, ""), "kernel_kit.json"))
    assert folder_for(wheel / "_kernel_kit.py", str(installed / "bin")) == str(installed / "share" / "sfpu-tlm")
    assert folder_for(wheel / "_kernel_kit.py", "") == ""
