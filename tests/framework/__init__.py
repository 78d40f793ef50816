"""Tests of the framework, whose code contains nothing about a particular game."""

import pytest

pytest.register_assert_rewrite(*(f"tests.framework.{name}" for name in ("promises", "commanding", "storing")))
