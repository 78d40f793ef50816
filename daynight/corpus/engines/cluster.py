"""The Dask engine: each part is a task of a cluster, or of workers started on this machine.

A worker writes its results into the folder of half-done work itself, and returns only counts. So every worker must see
the corpora and that folder under the same paths, and must have the same daynight.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from daynight import __version__
from daynight.corpus.engines.local import DEATHS, Deadly
from daynight.corpus.sources import addresses
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.machine.reasons import reason_of
from daynight.rules import RULES

Task = TypeVar("Task")
Answer = TypeVar("Answer")

_TWO = 2


class Cluster(NamedTuple):
    """The cluster to use.

    `scheduler` is its address; if None, `workers` processes (2 if None) are started on this machine. The other three
    are the paths of TLS files.
    """

    scheduler: str | None = None
    workers: int | None = None
    authority: str | None = None
    certificate: str | None = None
    key: str | None = None


class Versions(NamedTuple):
    """The versions that a process has; `missing` are the folders that it does not see."""

    daynight: str
    rules: int
    pyarrow: str
    missing: tuple[str, ...]


def versions(places: Sequence[str]) -> Versions:
    """Return the versions of this process, and which of these folders it does not see."""
    import pyarrow as pa

    missing = [
        place for place in places if addresses.is_own(place) or not (addresses.is_remote(place) or Path(place).exists())
    ]
    return Versions(__version__, RULES, pa.__version__, tuple(missing))


def spread(
    cluster: Cluster, places: Sequence[str], work: Callable[[Task], Answer], tasks: Sequence[Task]
) -> Iterator[tuple[Task, Answer | Deadly]]:
    """Yield every task with its answer, in the order in which they end; every worker must see the folders `places`.

    Raises:
        AskedError: where no scheduler answers, or a worker has other versions or does not see a folder.
    """
    from distributed import KilledWorker, as_completed

    if not tasks:
        return
    with _client(cluster) as client:
        _check(client, places)
        # Submit no more tasks than there are threads: Dask blames a worker's death on waiting tasks, too.
        waiting = iter(tasks)
        futures = {client.submit(work, task, pure=False): task for task in islice(waiting, _threads(client))}
        coming = as_completed(list(futures))
        for future in coming:
            try:
                answer: Answer | Deadly = future.result()
            except KilledWorker:
                answer = Deadly()
            yield futures.pop(future), answer
            future.release()
            for task in islice(waiting, 1):
                more = client.submit(work, task, pure=False)
                futures[more] = task
                coming.add(more)


@contextmanager
def _client(cluster: Cluster) -> Iterator[Any]:
    import dask.config
    from distributed import Client, LocalCluster, Security

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as opened:
        if cluster.scheduler is None:
            # Give up a task after as many dead workers as the local engine does.
            opened.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": DEATHS - 1}))
            # By default each process opens a web server to the network, on a port that may be taken.
            here = LocalCluster(
                n_workers=cluster.workers or _TWO,
                threads_per_worker=1,
                processes=True,
                host=_LOOPBACK,
                dashboard_address=f"{_LOOPBACK}:0",
                worker_dashboard_address=f"{_LOOPBACK}:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs=logging.CRITICAL,
            )
            opened.enter_context(here)
            yield opened.enter_context(Client(here))
            return
        security = None
        if cluster.authority is not None:
            security = Security(
                tls_ca_file=cluster.authority, tls_client_cert=cluster.certificate, tls_client_key=cluster.key,
                require_encryption=True,
            )  # fmt: skip
        try:
            client = Client(cluster.scheduler, security=security, timeout=_PATIENCE)
        except (OSError, ValueError, TypeError) as error:
            sentence = _("no Dask scheduler answers at {address}: {reason}")
            raise AskedError(sentence.format(address=cluster.scheduler, reason=reason_of(error))) from None
        yield opened.enter_context(client)


_PATIENCE = 10
_LOOPBACK = "localhost"


def _check(client: Any, places: Sequence[str]) -> None:
    """Refuse a cluster with a worker that has other versions or does not see a folder, or without workers."""
    ours = versions(places)
    found = client.run(versions, list(places), on_error="return")
    if not found:
        raise AskedError(_("the cluster has no workers"))
    for worker, theirs in found.items():
        if isinstance(theirs, BaseException):
            sentence = _("worker {worker} cannot load daynight: {reason}")
            raise AskedError(sentence.format(worker=worker, reason=theirs))
        # A named tuple may come back as a plain sequence.
        there = Versions(*theirs)
        if there[:3] != ours[:3]:
            sentence = _("worker {worker} has {theirs}, and here is {ours}: install the same on both")
            raise AskedError(sentence.format(worker=worker, theirs=_told(there), ours=_told(ours)))
        if there.missing:
            sentence = _("worker {worker} does not see {folder}; give a folder that all workers share")
            raise AskedError(sentence.format(worker=worker, folder=there.missing[0]))


def _threads(client: Any) -> int:
    threads: dict[str, int] = client.nthreads()
    return max(sum(threads.values()), 1)


def _told(versions: Versions) -> str:
    return f"daynight {versions.daynight}, RULES {versions.rules}, pyarrow {versions.pyarrow}"
