"""What all tests share: the guides are run as tests, in English, and Hypothesis says the same thing every time.

`pytest tests README.md` runs one guide: this file has to be among what is named for the guides to be found.
"""

import gc
import os

import pytest
from hypothesis import settings

from daynight.languages.speaking import VARIABLES

from . import documents

# Whoever runs the tests may speak French: the tests are written in English.
for variable in VARIABLES:
    os.environ.pop(variable, None)
os.environ["LANG"] = "C.UTF-8"

settings.register_profile("steady", derandomize=True, deadline=None, print_blob=True, max_examples=30)
settings.register_profile("whole", derandomize=True, deadline=None, print_blob=True, max_examples=100)
settings.register_profile("searching", deadline=None, print_blob=True, max_examples=2000)


class Guides:
    """Collects the guides wherever they are: a conftest is heard only below it, and README.md is above."""

    pytest_collect_file = staticmethod(documents.collect)


def pytest_configure(config: pytest.Config) -> None:
    """Has the guides collected, and more drawn where the slow tests are asked for too."""
    config.pluginmanager.register(Guides(), "daynight-guides")
    profile = "steady" if "not slow" in config.getoption("markexpr") else "whole"
    settings.load_profile(os.environ.get("DAYNIGHT_HYPOTHESIS", profile))


def pytest_collection_finish() -> None:
    """What was collected stays to the end: Python need not look through all of it again and again for what is left."""
    gc.freeze()
