"""The queues for computations: two run at once, one for each client while others wait; sixteen may wait.

| promise | test |
| --- | --- |
| two run at once; a single caller may use both, but only one while another waits | test_two_at_once, test_one_of_each |
| callers take turns, however long the queue of one is | test_turns |
| sixteen wait, and the next one is refused at once; leaving makes room | test_full |
| the time limit for waiting counts only for the first question of a queue | test_too_long |
| while nothing can be computed yet, nobody has waited too long | test_held_up |
"""

import asyncio

import pytest

from daynight.web.computing.lines import WAITING, FullError, Lines, Ticket


class Crowd:
    """Tickets in the queues of callers; `begun` names those that ran, `expired` those that waited too long."""

    def __init__(self, most=2, waiting=WAITING, seconds=10.0, held_up=lambda: False):
        self.lines = Lines(most, waiting, seconds, held_up)
        self.begun = []
        self.expired = []
        self.tickets = {}

    def join(self, *names):
        """Let a ticket of each name join its caller's queue; the first letter of the name is the caller."""
        for name in names:
            begin, expire = (lambda name=name: self.begun.append(name)), (lambda name=name: self.expired.append(name))
            self.tickets[name] = Ticket(name[0], begin, expire)
            self.lines.join(self.tickets[name])

    def end(self, *names):
        """Finish these computations, or let the callers leave."""
        for name in names:
            self.lines.leave(self.tickets[name])


def within(check):
    """Call `check` inside an event loop; if it returns a coroutine, await it."""

    async def run():
        found = check()
        if asyncio.iscoroutine(found):
            await found

    asyncio.run(run())


def test_two_at_once():
    def check():
        crowd = Crowd()
        crowd.join("a1", "a2", "a3")
        assert crowd.begun == ["a1", "a2"]
        crowd.end("a1")
        assert crowd.begun == ["a1", "a2", "a3"]
        crowd.end("a2", "a3")
        crowd.join("a4")
        assert crowd.begun[3:] == ["a4"]

    within(check)


def test_one_of_each():
    """A caller with a running computation does not get a second one before a waiting caller gets one."""

    def check():
        crowd = Crowd()
        crowd.join("a1", "b1", "a2", "c1")
        assert crowd.begun == ["a1", "b1"]
        crowd.end("b1")
        assert crowd.begun == ["a1", "b1", "c1"]
        crowd.end("c1")
        assert crowd.begun == ["a1", "b1", "c1", "a2"]

    within(check)


def test_turns():
    def check():
        crowd = Crowd(most=1)
        crowd.join(*[f"a{number}" for number in range(5)], "b1", "c1", "b2")
        for _time in range(7):
            crowd.end(crowd.begun[-1])
        assert crowd.begun == ["a0", "a1", "b1", "c1", "a2", "b2", "a3", "a4"]

    within(check)


def test_full():
    def check():
        crowd = Crowd(most=2, waiting=3)
        crowd.join("a1", "a2", "a3", "a4", "a5")
        with pytest.raises(FullError):
            crowd.join("a6")
        crowd.join("b1")
        assert crowd.begun == ["a1", "a2"]
        crowd.end("a4")
        crowd.join("a7")
        with pytest.raises(FullError):
            crowd.join("a8")
        crowd.end("a1")
        assert crowd.begun[2:] == ["b1"]

    within(check)
    assert WAITING == 16


def test_too_long():
    """The time limit starts for a question when it becomes the first of its queue."""

    async def check():
        crowd = Crowd(most=1, seconds=0.1)
        crowd.join("a1", "a2", "b1", "a3")
        await asyncio.sleep(0.05)
        assert crowd.expired == []
        await asyncio.sleep(0.08)
        assert sorted(crowd.expired) == ["a2", "b1"]
        await asyncio.sleep(0.12)
        assert crowd.expired[2:] == ["a3"]
        crowd.end("a1")
        crowd.join("a4")
        assert crowd.begun == ["a1", "a4"]
        await asyncio.sleep(0.15)
        assert len(crowd.expired) == 3

    within(check)


def test_held_up():
    """A worker takes long to start on a busy machine; the questions behind it wait for it, and then as usual."""

    async def check():
        starting = True
        crowd = Crowd(most=1, seconds=0.05, held_up=lambda: starting)
        crowd.join("a1", "a2", "b1")
        await asyncio.sleep(0.2)
        assert crowd.expired == []
        starting = False
        await asyncio.sleep(0.15)
        assert sorted(crowd.expired) == ["a2", "b1"]

    within(check)
