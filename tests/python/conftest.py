import os
import pathlib

import pytest


@pytest.fixture
def kernels():
    """The folder of the project's kernels."""
    return pathlib.Path(os.environ["SFPU_SOURCE_DIR"]) / "kernels"
