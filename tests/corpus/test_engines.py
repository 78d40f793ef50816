"""The engines: every task is answered, whoever dies."""

from functools import partial

import pytest

from daynight.corpus.engines.cluster import Cluster
from daynight.corpus.engines.cluster import spread as clustered
from daynight.corpus.engines.local import Deadly, spread
from daynight.framework.language.errors import AskedError

from .deadly import always, double, once, wrong


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_is_answered(workers):
    """Each with its answer, in whatever order."""
    assert dict(spread(double, range(7), workers)) == {number: 2 * number for number in range(7)}


def test_a_worker_that_dies_takes_nothing_with_it(tmp_path):
    """Its task is done by another one."""
    tasks = [str(tmp_path / name) for name in "abc"]
    assert sorted(spread(once, tasks, 2)) == [(task, task[-1]) for task in tasks]


def test_a_task_that_always_kills_is_given_up():
    """After three workers; the others are done."""
    assert dict(spread(always, range(5), 2)) == {0: 0, 1: 1, 2: 2, 3: Deadly(), 4: 4}


def test_an_error_is_raised_where_the_work_was_given():
    """As it was raised there."""
    with pytest.raises(OSError, match="No space left") as raised:
        list(spread(wrong, [1], 1))
    assert raised.value.filename == "file 1"


@pytest.mark.slow
def test_a_cluster_here():
    """The same from Dask, with a task that always kills."""
    assert dict(clustered(Cluster(), [], always, range(5))) == {0: 0, 1: 1, 2: 2, 3: Deadly(), 4: 4}


@pytest.mark.slow
def test_a_folder_that_workers_do_not_see():
    """It is named, and so is the worker."""
    with pytest.raises(AskedError, match="does not see /nowhere"):
        list(partial(clustered, Cluster(), ["/nowhere"])(double, [1]))
