"""The engines: every task gets an answer even if workers die; no client without the certificate can connect."""

import json
import socket
import ssl
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

from daynight.cli.commands import run
from daynight.corpus.building.build import build
from daynight.corpus.engines import cluster as clusters
from daynight.corpus.engines.answering import WorkerError, portable
from daynight.corpus.engines.cluster import Cluster
from daynight.corpus.engines.local import Deadly, spread
from daynight.corpus.engines.seeing import Proofs, Seen, is_seen
from daynight.framework.language.errors import AskedError, UnreadableError
from tests.behaviour.games import ROOT

from .deadly import Task, always, double, foreign, once, wrong
from .test_building import GAMES, files_of, made

HERE = Seen(str(Path(__file__).parent), __file__, sha256(Path(__file__).read_bytes()).hexdigest())


def clustered(cluster, work, tasks, proof=HERE):
    """Yield each task with its answer from the Dask engine; a worker must first see the folder of `proof`."""
    return clusters.spread(cluster, lambda task: proof, work, tasks)


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_is_answered(workers):
    """Each task gets its own answer, in any order."""
    assert dict(spread(double, range(7), workers)) == {number: 2 * number for number in range(7)}


def test_a_worker_that_dies_takes_nothing_with_it(tmp_path):
    """If a worker dies, another one does its task."""
    tasks = [str(tmp_path / name) for name in "abc"]
    assert sorted(spread(once, tasks, 2)) == [(task, task[-1]) for task in tasks]


def test_a_task_that_always_kills_is_given_up():
    """The answer to a task that has killed three workers is `Deadly()`; the other tasks are completed."""
    assert dict(spread(always, range(5), 2)) == {0: 0, 1: 1, 2: 2, 3: Deadly(), 4: 4}


def test_an_error_is_raised_where_the_work_was_given():
    """A worker's error is raised in the process that submitted the task."""
    with pytest.raises(OSError, match="No space left") as raised:
        list(spread(wrong, [1], 1))
    assert raised.value.filename == "file 1"


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("kind", ["unsent", "unreceived", "silent", "library"])
def test_an_error_that_cannot_be_sent_is_a_sentence(kind):
    """An error that cannot be pickled or unpickled, or has no text, becomes a `WorkerError` with a sentence."""
    with pytest.raises(WorkerError, match="a worker failed: "):
        list(spread(foreign, [kind], 1))


def test_an_answer_that_cannot_be_sent_is_an_error():
    """An answer that cannot be pickled raises AttributeError or WorkerError, which depends on the version of Python."""
    with pytest.raises((AttributeError, WorkerError)):
        list(spread(foreign, ["answer"], 1))


def test_our_errors_are_sent_as_they_are():
    """`portable` leaves an error of daynight as it is, with its line and its text."""
    error = portable(UnreadableError("no game", line=3, file="x"))
    assert (str(error), error.line) == ("x:3: $: no game", 3)


def test_proofs_of_a_folder(tmp_path):
    """`is_seen` is true only where corpus.json is there and has the digest of the proof."""
    build([str(made(tmp_path / "games", *GAMES[:2]))], tmp_path / "c")
    proof = Proofs()(Task(str(tmp_path / "c")))
    assert is_seen(proof)
    (tmp_path / "c").rename(tmp_path / "d")
    assert not is_seen(proof)
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "corpus.json").write_text("{}", "utf-8")
    assert not is_seen(proof)


@pytest.mark.parametrize("options, told", [
    (["--engine", "local", "--scheduler", "tcp://x:1"], "are for --engine dask"),
    (["--engine", "dask", "--tls-ca", "pyproject.toml"], "are for a cluster at --scheduler"),
    (["--engine", "dask", "--scheduler", "tls://x:1", "--tls-key", "pyproject.toml"], "need --tls-ca"),
    (["--engine", "dask", "--scheduler", "tls://x:1", "--tls-ca", "nothing.pem"], "nothing.pem"),
    (["--engine", "dask", "--scheduler", "tls://x:1", "--workers", "2"], "has its own workers"),
])  # fmt: skip
def test_options_that_do_not_go_together(tmp_path, monkeypatch, capsys, options, told):
    """Contradictory options end with exit code 2 and a sentence that says what they need."""
    monkeypatch.chdir(ROOT)
    assert run(["corpus", "stats", str(tmp_path / "c"), *options]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.slow
def test_a_cluster_here():
    """Dask answers every task as local workers do, with `Deadly()` for a task that always kills its worker."""
    assert dict(clustered(Cluster(), always, range(5))) == {0: 0, 1: 1, 2: 2, 3: Deadly(), 4: 4}


def listening():
    """Yield host and port of each TCP socket at which this process or a child process listens."""
    psutil = pytest.importorskip("psutil")  # which distributed needs
    here = psutil.Process()
    for process in [here, *here.children(recursive=True)]:
        for one in process.net_connections("tcp"):
            if one.status == psutil.CONN_LISTEN:
                yield one.laddr.ip, one.laddr.port


@pytest.mark.slow
def test_nobody_else_gets_into_a_cluster_here():
    """The cluster refuses clients without TLS, without a certificate, or with another one; it serves no web page."""
    from distributed import Client, Security

    before = {*listening()}
    with clusters._client(Cluster(workers=1)) as client:
        address = client.scheduler.address
        assert address.startswith("tls://127.0.0.1:")
        for other, security in ((address.replace("tls", "tcp"), None), (address, Security.temporary())):
            with pytest.raises((OSError, RuntimeError)):
                Client(other, security=security, timeout=2)
        places = {*listening()} - before
        assert {place for place, _port in places} == {"127.0.0.1"}
        answers = {place: (anonymous(*place), over_http(*place)) for place in places}
        talking = [place for place, (secure, _page) in answers.items() if secure]
        assert len(talking) == 3  # scheduler, nanny, worker
        assert {secure for secure, _page in answers.values()} == {"", "refused"}
        assert {page[:12] for place, (_secure, page) in answers.items() if place not in talking} == {"HTTP/1.1 404"}
        # And yet the cluster works.
        assert client.submit(double, 4).result() == 8


def anonymous(host, port):
    """Connect without a certificate; return `refused`, `let in`, or an empty text if the port does not use TLS."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((host, port), 1) as plain:
        try:
            with context.wrap_socket(plain) as secure:
                return "refused" if not secure.recv(1) else "let in"
        except ssl.SSLError as error:
            return "refused" if "CERTIFICATE_REQUIRED" in str(error) else ""
        except ConnectionError:
            return "refused"
        except TimeoutError:
            # A web server without TLS waits for the end of the line.
            return ""


def over_http(host, port):
    """The beginning of the answer to an HTTP request for the front page; empty if the connection is closed."""
    with socket.create_connection((host, port), 5) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        try:
            return plain.recv(100).decode("latin-1")
        except ConnectionError:
            return ""


@pytest.mark.slow
def test_a_folder_that_workers_do_not_see(tmp_path):
    """If a worker does not see the folder of the proof, the Dask engine raises an AskedError that names the folder."""
    proof = Seen("/nowhere", "/nowhere/corpus.json", sha256().hexdigest())
    with pytest.raises(AskedError, match="does not see /nowhere"):
        list(clustered(Cluster(), double, [1], proof))


@pytest.mark.slow
def test_an_error_of_a_worker_of_dask_is_a_sentence():
    """An error of a Dask worker that cannot be unpickled becomes a `WorkerError` with a sentence."""
    with pytest.raises(WorkerError, match="a worker failed: "):
        list(clustered(Cluster(), foreign, ["unreceived"]))


@pytest.fixture
def scheduler(tmp_path):
    """The address of a Dask scheduler without workers, and without TLS."""
    place = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
               "--no-dashboard", "--scheduler-file", str(place)]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            yield waited(place)
        finally:
            process.terminate()


def waited(place, seconds=20):
    """Wait until a scheduler has written its file `place`; return the address in it, or raise TimeoutError."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            return str(json.loads(place.read_bytes())["address"])
        except (OSError, ValueError):
            time.sleep(0.05)
    raise TimeoutError(place)


def worker_of(address, cwd=ROOT):
    """Start a Dask worker that joins the cluster at `address`; return its process."""
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard", "--nthreads", "1",
               "--no-nanny"]  # fmt: skip
    return subprocess.Popen(command, cwd=cwd, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


@pytest.mark.slow
def test_a_cluster_that_has_no_workers_yet(tmp_path, scheduler, monkeypatch):
    """Without TLS the command warns; without workers it waits.

    When a worker has joined, the result has the same bytes as without Dask.
    """
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    place = made(tmp_path / "games", *GAMES[:2])
    build([str(place)], tmp_path / "c")
    command = [sys.executable, "-m", "daynight", "corpus", "audit", str(tmp_path / "c"), "-o", str(tmp_path / "r"),
               "--engine", "dask", "--scheduler", scheduler]  # fmt: skip
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        assert "no TLS; whoever reaches this cluster can run code as you" in running.stderr.readline()
        assert "no workers; waiting" in running.stderr.readline()
        worker = worker_of(scheduler)
        try:
            assert running.wait(60) in (0, 1)
        finally:
            worker.terminate()
            worker.wait()
    assert run(["corpus", "audit", str(tmp_path / "c"), "-o", str(tmp_path / "r2")]) in (0, 1)
    assert files_of(tmp_path / "r") == files_of(tmp_path / "r2")


@pytest.mark.slow
def test_a_worker_that_joins_later_proves_what_it_sees(tmp_path, scheduler, monkeypatch):
    """If a worker that joins later sees an empty folder, an AskedError names the worker and the folder."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    said = []
    (tmp_path / "c").mkdir()
    proof = Seen(str(tmp_path / "c"), str(tmp_path / "c" / "corpus.json"), sha256(b"{}").hexdigest())
    joining = []

    def say(sentence):
        said.append(sentence)
        if "waiting" in sentence:
            joining.append(worker_of(scheduler))

    try:
        with pytest.raises(AskedError, match=r"worker tcp://.* does not see .*/c; give a folder"):
            list(clustered(Cluster(scheduler, say=say), double, [1], proof))
    finally:
        for worker in joining:
            worker.terminate()
            worker.wait()
    assert len(said) == 2


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:9"])
def test_no_scheduler(tmp_path, capsys, monkeypatch, address):
    """A scheduler that cannot be reached, or --tls-ca with an address without TLS, ends with exit code 2."""
    monkeypatch.setattr(clusters, "_PATIENCE", 1)
    build([str(made(tmp_path / "games", *GAMES[:2]))], tmp_path / "c")
    command = ["corpus", "audit", str(tmp_path / "c"), "-o", str(tmp_path / "r"), "--engine", "dask", "--scheduler"]
    assert run([*command, address]) == 2
    assert f"no Dask scheduler answers at {address}: " in capsys.readouterr().err
    assert run([*command, address, "--tls-ca", str(tmp_path / "c" / "corpus.json")]) == 2
    assert "begins with tls://" in capsys.readouterr().err


@pytest.mark.slow
def test_tls_files(tmp_path, capsys):
    """An address with TLS ends with exit code 2 if the TLS files are not given, or are not TLS files."""
    build([str(made(tmp_path / "games", *GAMES[:2]))], tmp_path / "c")
    command = ["corpus", "audit", str(tmp_path / "c"), "-o", str(tmp_path / "r"), "--engine", "dask", "--scheduler"]
    assert run([*command, "tls://127.0.0.1:9"]) == 2
    assert "give --tls-ca, --tls-cert and --tls-key" in capsys.readouterr().err
    wrong = str(tmp_path / "c" / "corpus.json")
    assert run([*command, "tls://127.0.0.1:9", "--tls-ca", wrong, "--tls-cert", wrong, "--tls-key", wrong]) == 2
    assert "the TLS files cannot be used: " in capsys.readouterr().err
