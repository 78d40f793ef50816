"""The framework, which knows no game."""

import pytest

pytest.register_assert_rewrite("tests.framework.promises", "tests.framework.commanding")
