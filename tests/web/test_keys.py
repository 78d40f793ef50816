"""Keys, links and sessions, without any request."""

import stat
import sys

import pytest

from daynight.store import SettingsError
from daynight.web.door.grants import Caller, EndedError, Grant, Keys, hash_of, held_in


class Clock:
    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "games.db.links"


def test_the_owners_key_is_new_each_time_and_has_128_bits():
    keys = [Keys().owner for _time in range(50)]
    assert len(set(keys)) == 50
    assert {len(key) for key in keys} == {22}


def test_the_owners_key_ends_with_the_process(file):
    before = Keys(file)
    assert before.grant(before.owner).role == "owner"
    with pytest.raises(EndedError):
        Keys(file).grant(before.owner)


def test_a_link_outlives_a_restart_and_its_key_is_nowhere_in_the_file(file):
    link, key = Keys(file).add("friday", "player", "Ana")
    assert key not in file.read_text()
    assert link.hash == hash_of(key) in file.read_text()
    found = Keys(file).grant(key)
    assert (found.role, found.name, found.game, found.link) == ("player", "Ana", "friday", link.link)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_nobody_else_reads_the_file(file):
    Keys(file).add("friday", "judge", "Jo")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_ends_when_it_said(file, clock):
    keys = Keys(file, now=clock)
    _link, key = keys.add("friday", "judge", "Jo", hours=2)
    clock.now += 7199
    grant = keys.grant(key)
    assert keys.lives(grant)
    clock.now += 2
    assert not keys.lives(grant)
    with pytest.raises(EndedError):
        keys.grant(key)
    assert keys.links() == []


def test_a_link_lives_a_day_where_nothing_is_said(file, clock):
    keys = Keys(file, now=clock)
    link, _key = keys.add("friday", "spectator")
    assert link.ends - clock.now == 24 * 3600


def test_a_revoked_link_is_none_at_once_and_others_stay(file):
    keys = Keys(file)
    link, key = keys.add("friday", "player", "Ana")
    _other, stays = keys.add("friday", "player", "Bo")
    assert keys.revoke(link.link)
    with pytest.raises(EndedError):
        keys.grant(key)
    assert keys.grant(stays).name == "Bo"
    assert not keys.revoke(link.link)


def test_what_another_server_of_the_store_revokes_is_revoked_here(file):
    here, there = Keys(file), Keys(file)
    link, key = here.add("friday", "player", "Ana")
    grant = there.grant(key)
    here.revoke(link.link)
    assert not there.lives(grant)
    with pytest.raises(EndedError):
        there.grant(key)


def test_a_wrong_key_is_refused_and_an_unreadable_file_lets_nobody_in(file):
    keys = Keys(file)
    _link, key = keys.add("friday", "player", "Ana")
    for wrong in ("", key[:-1], key + "A", key.swapcase(), "\udcff"):
        with pytest.raises(EndedError):
            keys.grant(wrong)
    file.write_text("[{}]")
    with pytest.raises(EndedError):
        keys.grant(key)
    with pytest.raises(SettingsError, match="holds no links"):
        Keys(file)


def test_of_several_keys_the_one_that_may_most_counts_and_among_equals_the_last():
    ana, bo = Grant("player", "Ana", "friday"), Grant("player", "Bo", "friday")
    judge, owner = Grant("judge", "Jo", "monday"), Grant("owner")
    caller = Caller((ana, bo, judge))
    assert caller.over("friday") is bo
    assert caller.over("monday") is judge
    assert caller.over("sunday") is None
    assert caller.over("friday/b2", "friday") is bo
    assert caller.most is judge
    assert Caller((owner, ana)).over("friday") is owner
    assert Caller().most is None


def test_a_session_keeps_every_key_once_the_newest_last():
    keys = Keys()
    (_one, first), (_two, second) = keys.add("friday", "spectator"), keys.add("friday", "judge")
    cookie = keys.joined(keys.joined("", first), second)
    assert held_in(cookie) == [first, second]
    assert held_in(keys.joined(cookie, first)) == [second, first]
    with pytest.raises(EndedError):
        keys.joined(cookie, "wrong")


def test_a_session_forgets_keys_that_ended(file, clock):
    keys = Keys(file, now=clock)
    (_one, first), (_two, second) = keys.add("friday", "judge", hours=1), keys.add("friday", "judge", hours=3)
    cookie = keys.joined("", first)
    clock.now += 2 * 3600
    assert held_in(keys.joined(cookie, second)) == [second]


def test_a_session_with_one_good_key_is_good_and_with_none_it_has_ended():
    keys = Keys()
    link, key = keys.add("friday", "judge")
    assert [grant.role for grant in keys.caller([key, keys.owner]).grants] == ["judge", "owner"]
    keys.revoke(link.link)
    assert [grant.role for grant in keys.caller([key, keys.owner]).grants] == ["owner"]
    with pytest.raises(EndedError):
        keys.caller([key])
    assert keys.caller([]).grants == ()


def test_links_are_listed_in_pages():
    keys = Keys()
    made = sorted(keys.add("friday", "spectator")[0].link for _time in range(5))
    assert [link.link for link in keys.links(limit=2)] == made[:2]
    assert [link.link for link in keys.links(after=made[1])] == made[2:]
