"""Rate limits of a client."""

import pytest

from daynight.web.door.rates import Rates


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_burst_is_served_and_one_more_has_to_wait():
    clock = Clock()
    rates = Rates(10, 30, now=clock)
    assert [rates.take("ana") for _time in range(30)] == [0.0] * 30
    assert rates.take("ana") == pytest.approx(0.1)
    assert rates.take("bo") == 0


def test_a_token_comes_with_time_and_no_more_than_a_burst():
    clock = Clock()
    rates = Rates(10, 30, now=clock)
    for _time in range(31):
        rates.take("ana")
    clock.now += 0.1
    assert rates.take("ana") == 0
    assert rates.take("ana") > 0
    clock.now += 3600
    assert [rates.take("ana") for _time in range(31)].count(0) == 30


def test_very_many_who_ask_do_not_fill_the_memory():
    clock = Clock()
    rates = Rates(1, 2, now=clock)
    for number in range(25_000):
        rates.take(f"address {number}")
    assert len(rates._buckets) <= 10_001


def test_who_asks_all_the_time_is_not_forgotten_for_those_who_asked_once():
    rates = Rates(1, 2, now=Clock())
    assert [rates.take("ana"), rates.take("ana")] == [0, 0]
    for number in range(25_000):
        rates.take(f"address {number}")
        if number % 1_000 == 0:
            assert rates.take("ana") > 0
