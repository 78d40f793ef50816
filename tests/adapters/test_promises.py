"""The promises for adopted applications and machines, and the test of each."""

from pathlib import Path

HERE = Path(__file__).parent
FOLDERS = (HERE, HERE.parent / "browser/served")

PROMISES: dict[str, tuple[str, ...]] = {
    "every command on the library's example applications, no line changed": (
        "test_examples::test_every_verb",
        "test_commands::test_every_verb",
    ),
    "the same on applications of our own: values, enums, value objects, sets": (
        "test_applications::test_values",
        "test_commands::test_examples",
    ),
    "functional aggregates, and events of a log": (
        "test_applications::test_functional",
        "test_examples::test_every_verb",
    ),
    "code that reads a clock or a random number while replaying is named by event and attribute": (
        "test_applications::test_check",
        "test_examples::test_check",
    ),
    "a stale snapshot is disputed, and one with a hidden attribute too": (
        "test_applications::test_snapshots",
        "test_safety::test_hidden_is_compared",
    ),
    "SQLite and PostgreSQL, ids that are texts": (
        "test_applications::test_record",
        "test_postgres::test_postgres",
        "test_postgres::test_text_ids",
    ),
    "encrypted, compressed, upcast": (
        "test_applications::test_stored_otherwise",
        "test_applications::test_compressed",
        "test_applications::test_upcast",
    ),
    "without the key one sentence": ("test_applications::test_no_key",),
    "the database's bytes and times stay, also beside a writer, also while it is served": (
        "test_safety::test_untouched",
        "test_safety::test_beside_a_writer",
        "test_commands::test_serve",
    ),
    "a code that is gone leaves the log": ("test_applications::test_gone",),
    "an aggregate that its own code refuses says where it stops; the others are there": (
        "test_applications::test_stops",
        "test_commands::test_stops",
        "test_page::test_stops",
        "test_adopted::test_stops",
    ),
    "at a given time, and the zone is said": (
        "test_applications::test_at_a_time",
        "test_commands::test_times",
        "test_adopted::test_life",
    ),
    "claims by one line of the user's": (
        "test_applications::test_says",
        "test_commands::test_says",
    ),
    "what-if drops, replaces, and puts in, with id and time filled in": (
        "test_applications::test_what_if",
        "test_applications::test_put_in",
        "test_page::test_what_if",
    ),
    "what became impossible is listed": (
        "test_commands::test_serve",
        "test_page::test_what_if",
        "test_adopted::test_what_if",
    ),
    "two deployments are compared, each attribute that differs is named": (
        "test_applications::test_against",
        "test_applications::test_check",
    ),
    "the list by class and id, with search, last change, number of events": (
        "test_page::test_list",
        "test_adopted::test_list",
        "test_postgres::test_list",
    ),
    "the first page of 100,000 aggregates in at most 3 times the time of 100": ("test_page::test_many",),
    "a life as a timeline, a row for each attribute that changes": ("test_adopted::test_life",),
    "a running application is followed, its list too": (
        "test_commands::test_follow",
        "test_page::test_live",
        "test_adopted::test_list",
    ),
    "a hidden attribute is on no page and in no export, and is compared": (
        "test_safety::test_hidden",
        "test_safety::test_hidden_elsewhere",
        "test_page::test_hidden",
        "test_adopted::test_hidden",
    ),
    "a hostile row is never resolved, a pickle never read": (
        "test_safety::test_hostile",
        "test_safety::test_pickled",
    ),
    "an application that prints, or opens sockets, while it is imported": (
        "test_commands::test_prints",
        "test_safety::test_port",
    ),
    "nothing is said of Magic": (
        "test_commands::test_no_magic",
        "test_page::test_refused",
        "test_adopted::test_nothing_of_magic",
    ),
    "serve names its extra": ("test_commands::test_extra",),
    "the tests of transitions pass while every machine is recorded, and their records replay alike": (
        "test_own_suite::test_recorded",
    ),
    "no callback is called by replay, what-if, audit or the page": (
        "test_machines::test_nothing_is_called",
        "test_page::test_machine",
        "test_adopted::test_machine",
    ),
    "a guard's flipped answer leads elsewhere": ("test_machines::test_flipped",),
    "raise, timeout, queue, nest, lock": (
        "test_machines::test_raised",
        "test_machines::test_kinds",
        "test_machines::test_within",
    ),
    "the machine drawn with the ways taken and the guards that said no": (
        "test_ways::test_counted",
        "test_ways::test_nested",
        "test_ways::test_picture",
        "test_adopted::test_machine",
    ),
    "opening costs at most twice the library's own rebuild, a recorded trigger at most twice a bare one": (
        "test_ratios::test_opening",
        "test_ratios::test_trigger",
    ),
    "both stories of the guide run": ("test_ways::test_guide",),
}
"""Each promise, and the tests that show it, as `file::function`."""


def test_shown():
    """Each test that the list of promises names exists."""
    missing = []
    for name in (one for several in PROMISES.values() for one in several):
        file, _colons, test = name.partition("::")
        (path,) = [folder / f"{file}.py" for folder in FOLDERS if (folder / f"{file}.py").is_file()]
        if f"def {test}(" not in path.read_text(encoding="utf-8"):
            missing.append(name)
    assert not missing
