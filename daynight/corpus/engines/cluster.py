"""The Dask engine: each part is a task of a cluster, or of workers started on this machine.

Every worker must see the corpora under the same paths, and must have the same version of daynight. It proves both
before each task, because workers may join a cluster at any time.

Dask runs any code that it receives. Workers on this machine therefore use TLS, with a certificate made for them alone.
The security of an existing cluster is the task of its owner.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from daynight import __version__
from daynight.corpus.engines.answering import Failed, answered
from daynight.corpus.engines.local import DEATHS, Deadly
from daynight.corpus.engines.seeing import Seen, is_seen
from daynight.framework.language.errors import AskedError, DaynightError
from daynight.framework.language.wording import _
from daynight.machine.reasons import reason_of
from daynight.rules import RULES

Task = TypeVar("Task")
Answer = TypeVar("Answer")

_TWO = 2


class Cluster(NamedTuple):
    """The cluster to use.

    `scheduler` is its address; if None, `workers` processes (2 if None) are started on this machine. `authority`,
    `certificate` and `key` are the paths of TLS files. `say` is called with warnings for the user: that
    without TLS whoever reaches the cluster can run code in it, and that there are no workers yet.
    """

    scheduler: str | None = None
    workers: int | None = None
    authority: str | None = None
    certificate: str | None = None
    key: str | None = None
    say: Callable[[str], None] = lambda sentence: None


class Versions(NamedTuple):
    """The versions of the software in a process."""

    daynight: str
    rules: int
    pyarrow: str


class Unfit(NamedTuple):
    """The answer of a worker that cannot do a task: its versions, a folder it does not see (or None), its address."""

    versions: Versions
    folder: str | None
    worker: str = ""


def versions() -> Versions:
    """Return the versions of daynight, of its rules and of pyarrow in this process."""
    import pyarrow as pa

    return Versions(__version__, RULES, pa.__version__)


def unfit(ours: Versions, proofs: Sequence[Seen]) -> Unfit | None:
    """Return None if this process has the versions `ours` and reads all `proofs`, else `Unfit` without an address."""
    there, folder = versions(), next((proof.folder for proof in proofs if not is_seen(proof)), None)
    return None if there == ours and folder is None else Unfit(there, folder)


def spread(
    cluster: Cluster, proof: Callable[[Task], Seen],
    work: Callable[[Task], Answer], tasks: Sequence[Task],
) -> Iterator[tuple[Task, Answer | Deadly]]:  # fmt: skip
    """Yield every task with its answer, in the order in which they end.

    While there are no workers, it waits for them. `proof` returns the file that a worker must see for a task. If Dask
    gives up a task because its workers died, the task is tried again alone, because Dask blames all tasks queued at
    such a worker; if it is given up again, its answer is `Deadly`. An error that the work raised is raised here.

    Raises:
        AskedError: where no scheduler answers, TLS files are wrong, or a worker has other versions or lacks a folder.
        WorkerError: where the work raised an error that only the worker can unpickle.
        DaynightError: where Dask fails.
    """
    if not tasks:
        return
    seen = {place: proof(task) for place, task in enumerate(tasks)}
    with _client(cluster) as client:
        _check(client, sorted({*seen.values()}), cluster.say)
        answers = partial(_answers, client, work, cluster.say)
        blamed = []
        for place, answer in answers({place: (tasks[place], seen[place]) for place in seen}):
            if isinstance(answer, Deadly):
                blamed.append(place)
            else:
                yield tasks[place], answer
        for place in sorted(blamed):
            for _place, answer in answers({place: (tasks[place], seen[place])}):
                yield tasks[place], answer


def _worked(work: Callable[[Task], Answer], task: Task, ours: Versions, proof: Seen) -> Any:
    """Do a task in a worker; return the answer, `Unfit` if the worker cannot do it, or `Failed` if `work` raised."""
    from distributed import get_worker

    problem = unfit(ours, [proof])
    return answered(work, task) if problem is None else problem._replace(worker=get_worker().address)


def _answers(
    client: Any, work: Callable[[Task], Answer], say: Callable[[str], None],
    asked: dict[int, tuple[Task, Seen]],
) -> Iterator[tuple[int, Answer | Deadly]]:  # fmt: skip
    """Submit the tasks in `asked`, each with its proof; yield the key of each with its answer, as they end.

    An error that the work raised is raised here; an unfit worker raises `AskedError`.
    """
    from distributed import KilledWorker

    ended: SimpleQueue[Any] = SimpleQueue()
    with _translated():
        futures = {
            client.submit(_worked, work, task, versions(), proof, pure=False): place
            for place, (task, proof) in asked.items()
        }
        for future in futures:
            future.add_done_callback(ended.put)
    while futures:
        with _translated():
            future = _next(ended, client, say)
            place = futures.pop(future)
            try:
                answer = future.result()
            except KilledWorker:
                answer = Deadly()
            future.release()
        if isinstance(answer, Failed):
            raise answer.error
        if isinstance(answer, Unfit):
            raise _refusal(answer)
        yield place, answer


def _next(ended: SimpleQueue[Any], client: Any, say: Callable[[str], None]) -> Any:
    """Return the next finished future; if the cluster has no workers in the meantime, `say` so once."""
    while True:
        try:
            return ended.get(timeout=_PATIENCE)
        except Empty:
            if not client.nthreads():
                say(_("the cluster has no workers; waiting for one"))
                return ended.get()


@contextmanager
def _translated() -> Iterator[None]:
    """Translate any error of Dask into a `DaynightError` with one sentence."""
    try:
        yield
    except DaynightError:
        raise
    except Exception as error:
        sentence = _("the Dask cluster failed: {kind}: {reason}")
        reason = " ".join(reason_of(error).split())
        raise DaynightError(sentence.format(kind=type(error).__name__, reason=reason)) from None


@contextmanager
def _client(cluster: Cluster) -> Iterator[Any]:
    import dask.config
    from distributed import Client, LocalCluster

    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]:
        # Each has a level of its own.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as opened:
        if cluster.scheduler is None:
            # Give up a task after as many dead workers as the local engine does, and show nothing over HTTP.
            opened.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": DEATHS - 1, **_SILENT}))
            # By default each process opens a web server to the network, on a port that may be taken.
            here = LocalCluster(
                n_workers=cluster.workers or _TWO,
                threads_per_worker=1,
                processes=True,
                host=_LOOPBACK,
                # Other users of this machine can reach these ports too, but only with the certificate.
                security=True,
                dashboard_address=f"{_LOOPBACK}:0",
                worker_dashboard_address=f"{_LOOPBACK}:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs=logging.CRITICAL,
            )
            opened.enter_context(here)
            yield opened.enter_context(Client(here))
            return
        security = _security(cluster, cluster.scheduler)
        try:
            client = Client(cluster.scheduler, security=security, timeout=_PATIENCE)
        except Exception as error:  # of the network, of TLS, or of Dask itself
            sentence = _("no Dask scheduler answers at {address}: {reason}")
            raise AskedError(sentence.format(address=cluster.scheduler, reason=reason_of(error))) from None
        yield opened.enter_context(client)


def _security(cluster: Cluster, address: str) -> Any:
    """Return the TLS settings for `address`; None, after a warning by `say`, if the address has no TLS.

    Raises:
        AskedError: where the TLS files do not fit the address, are missing, or cannot be used.
    """
    from distributed import Security

    if not address.startswith(_TLS):
        if cluster.authority is not None:
            sentence = _("{address}: --tls-ca is for an address that begins with tls://")
            raise AskedError(sentence.format(address=address))
        sentence = _("{address}: no TLS; whoever reaches this cluster can run code as you, here and on its workers")
        cluster.say(sentence.format(address=address))
        return None
    given = {"tls_ca_file": cluster.authority, "tls_client_cert": cluster.certificate, "tls_client_key": cluster.key}
    # Without a file given, Dask looks into its own configuration.
    security = Security(require_encryption=True, **{name: file for name, file in given.items() if file is not None})
    try:
        missing = security.get_connection_args("client").get("ssl_context") is None
    except OSError as error:  # also those of TLS
        sentence = _("the TLS files cannot be used: {reason}")
        raise AskedError(sentence.format(reason=reason_of(error))) from None
    if missing:
        # Without a certificate Dask passes over an authority, whatever is in the file.
        raise AskedError(_("{address}: give --tls-ca, --tls-cert and --tls-key, too").format(address=address))
    return security


_PATIENCE = 10
_LOOPBACK = "localhost"
_TLS = "tls://"
_SILENT: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}


def _check(client: Any, proofs: Sequence[Seen], say: Callable[[str], None]) -> None:
    """Refuse workers that cannot load daynight, have other versions or do not see a folder, by raising `AskedError`.

    If there are no workers, `say` so.
    """
    with _translated():
        found = client.run(unfit, versions(), proofs, on_error="return")
    if not found:
        say(_("the cluster has no workers; waiting for one"))
    for worker, problem in found.items():
        if isinstance(problem, BaseException):
            sentence = _("worker {worker} cannot load daynight: {reason}")
            raise AskedError(sentence.format(worker=worker, reason=problem))
        if problem is not None:
            # A named tuple may come back as a plain sequence.
            raise _refusal(Unfit(problem[0], problem[1], worker))


def _refusal(there: Unfit) -> AskedError:
    theirs, ours = Versions(*there.versions), versions()
    if theirs != ours:
        sentence = _("worker {worker} has {theirs}, and here is {ours}: install the same on both")
        return AskedError(sentence.format(worker=there.worker, theirs=_told(theirs), ours=_told(ours)))
    sentence = _("worker {worker} does not see {folder}; give a folder that all workers share")
    return AskedError(sentence.format(worker=there.worker, folder=there.folder))


def _told(versions: Versions) -> str:
    return f"daynight {versions.daynight}, RULES {versions.rules}, pyarrow {versions.pyarrow}"
