"""An application of `eventsourcing` that the user names: how it encodes, encrypts and compresses its events.

Only its mapper is created, not its recorder, because that would create tables.
"""

from __future__ import annotations

import errno
import importlib
import os
import pickletools
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from threading import Event
from typing import Any, cast

from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory, Mapper, StoredEvent, Transcoder

from daynight.adapters.errors import AdoptedError, StrangeTopicError
from daynight.adapters.topics import Topics, is_event
from daynight.framework.language.wording import _

_WITHIN = nullcontext()

Project = Callable[[Any, Any], Any]
"""Gets an aggregate (None: not created yet) and a tuple of events; applies them, and returns the aggregate."""


class Named:
    """An application of `eventsourcing`: `named` is the text `module:Application`, or the class itself.

    Stored rows may also name classes of the packages `also`. `project` is a function like `Project`, or its name.
    `env` has the application's environment variables; with None, those of the process.

    Raises:
        AdoptedError: where the application, a package or the function can't be imported, or is something else; where
            the application can't make its mapper.
    """

    def __init__(
        self, named: str | type, also: Sequence[str] = (), project: str | Project | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        found = _imported(named) if isinstance(named, str) else named
        found = found if isinstance(found, type) else type(found)
        if not issubclass(found, Application):
            sentence = _("{named} is no application of eventsourcing: it is not derived from Application")
            raise AdoptedError(sentence.format(named=_spelled(named)))
        self.kind: type[Application[Any]] = found
        self.named = named if isinstance(named, str) else f"{found.__module__}:{found.__qualname__}"
        for package in also:
            _module(package, _("--also {package}").format(package=package))
        self.topics = Topics([*dict.fromkeys((str(found.__module__).partition(".")[0], *also))])
        self._own_project: Project | None = _function(project) if isinstance(project, str) else project
        self.env = dict(os.environ if env is None else env)
        self._events: set[type] = set()
        self.mapper = self._mapper()

    @property
    def name(self) -> str:
        """The application's own name; its tables in PostgreSQL have it as a prefix."""
        return str(self.kind.name)

    def _mapper(self) -> Mapper[Any]:
        """Return the application's mapper: transcodings, cipher, compressor. AdoptedError if it can't be made."""
        made: Any = object.__new__(self.kind)
        made.closing = Event()
        # In memory: the application's own recorder would open its database, and make tables there.
        memory = {f"{self.name.upper()}_PERSISTENCE_MODULE": "eventsourcing.popo"}
        try:
            with quiet():
                made.env = made.construct_env(self.name, {**self.env, **memory})
                made.factory = InfrastructureFactory.construct(made.env)
                mapper: Mapper[Any] = made.construct_mapper()
        except Exception as error:
            sentence = _(
                "{named} can't say how its events are stored: {reason}; its settings and its key are read from the"
                " environment, as the application itself reads them"
            )
            raise AdoptedError(sentence.format(named=self.named, reason=told(error))) from error
        mapper.transcoder = cast("Transcoder", _NoPickles(mapper.transcoder))
        return mapper

    def event(self, row: StoredEvent) -> Any:
        """Decode a stored row to an event of the application, and return it.

        Raises:
            StrangeTopicError: where the row's topic names no event of the application, or the row can't be read.
        """
        kind = self.topics.resolve(row.topic)
        if kind not in self._events:
            if is_event(kind):
                self._events.add(kind)
            else:
                raise StrangeTopicError(_("topic {topic} names no event").format(topic=repr(row.topic)))
        with self.running():
            try:
                return self.mapper.to_domain_event(row)
            except Exception as error:
                raise StrangeTopicError(self._unread(row, error)) from error

    def running(self) -> AbstractContextManager[None]:
        """Return a block in which the application's code may run: topics are restricted, prints go to standard error.

        Nested blocks cost nothing: put one block around a loop over many rows.
        """
        return _WITHIN if self.topics.is_guarding else self._running()

    @contextmanager
    def _running(self) -> Iterator[None]:
        with self.topics.guarding(), quiet():
            yield

    def lacks_key(self, row: StoredEvent) -> bool:
        """Return whether an unreadable row seems encrypted: a cipher is set, or its data is no JSON and no pickle."""
        return self.mapper.cipher is not None or not (looks_like_json(row.state) or _is_pickle(row.state))

    def _unread(self, row: StoredEvent, error: Exception) -> str:
        cause = error.__cause__ or error
        if isinstance(cause, StrangeTopicError):
            return cause.sentence
        if self.mapper.cipher is None and not looks_like_json(row.state):
            sentence = _("this row can't be read: {reason}; if it is encrypted, give CIPHER_KEY in the environment")
        else:
            sentence = _("this row can't be read: {reason}")
        return sentence.format(reason=told(error.__cause__ or error))

    def plain(self, row: StoredEvent) -> Any:
        """Decrypt, decompress and decode the data of a row, and return it; None if that fails. No topic is resolved."""
        try:
            state = row.state
            with self.running():
                state = self.mapper.cipher.decrypt(state) if self.mapper.cipher else state
                state = self.mapper.compressor.decompress(state) if self.mapper.compressor else state
                return self.mapper.transcoder.decode(state)
        except Exception:
            return None

    def applied(self, aggregate: Any, event: Any) -> Any:
        """Apply an event by the application's own code; return the aggregate. AdoptedError if no code applies it."""
        with self.running():
            if self._own_project is None and hasattr(event, "mutate"):
                # What `project_aggregate` of the library does, without its slow check of a protocol.
                return event.mutate(aggregate)
            return self._project(event)(aggregate, (event,))

    def _project(self, event: Any) -> Project:
        if self._own_project is not None:
            return self._own_project
        projectors: Mapping[type, Project] = self.kind.snapshotting_projectors
        if projectors:
            return next(iter(projectors.values()))
        sentence = _("{kind} has no method mutate; name the function that projects it: --project MODULE:FUNCTION")
        raise AdoptedError(sentence.format(kind=type(event).__qualname__))


class _NoPickles:
    """Wraps the transcoder of an application, and refuses to decode pickles: unpickling can run any code."""

    def __init__(self, own: Any) -> None:
        self._own = own

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def decode(self, data: bytes) -> Any:
        """Decode the data.

        Raises:
            StrangeTopicError: where the data is a pickle.
        """
        if _is_pickle(data):
            sentence = _("this row is a pickle of Python: reading one may run anything, so it is not read")
            raise StrangeTopicError(sentence)
        return self._own.decode(data)


def _is_pickle(data: Any) -> bool:
    """Return whether data is a pickle of any version, without unpickling it."""
    if not isinstance(data, bytes) or data[-1:] != b"." or looks_like_json(data):
        return False
    try:
        return any(code.name == "STOP" for code, _argument, _place in pickletools.genops(data))
    except Exception:
        return False


@contextmanager
def quiet() -> Iterator[None]:
    """Redirect the application's prints to standard error, so that standard output has only the answer."""
    with redirect_stdout(sys.stderr):
        yield


@contextmanager
def _other_ports() -> Iterator[None]:
    """During the block, a socket that is bound to a port in use gets a free port: an imported module may listen."""
    bind = socket.socket.bind

    def bound(self: socket.socket, address: Any) -> None:
        try:
            bind(self, address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or not isinstance(address, tuple):
                raise
            bind(self, (address[0], 0, *address[2:]))

    socket.socket.bind = bound  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        socket.socket.bind = bind  # type: ignore[method-assign]


def told(error: BaseException) -> str:
    """Return the type and the message of an application's error."""
    words = str(error)
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _spelled(named: Any) -> str:
    return named if isinstance(named, str) else getattr(named, "__qualname__", repr(named))


def _imported(named: str) -> Any:
    """Return the object that `MODULE:NAME` names, after importing the module; AdoptedError if there is none."""
    module, colon, names = named.partition(":")
    if not colon or not module or not names:
        sentence = _("{named}: expected MODULE:NAME, as in bank:BankAccounts")
        raise AdoptedError(_meant(sentence.format(named=repr(named)), *named.rpartition(".")[::2]))
    if _is_path(module):
        sentence = _("{named}: expected MODULE:NAME, as in bank:BankAccounts").format(named=repr(named))
        raise AdoptedError(_meant(sentence, ".".join(Path(module).with_suffix("").parts), names))
    found: Any = _module(module, named)
    for name in names.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            known = [key for key, value in vars(found).items() if _is_application(value)]
            sentence = _("{module} has no {name}; its applications: {known}")
            told_of = ", ".join(known) or _("none")
            raise AdoptedError(sentence.format(module=module, name=names, known=told_of)) from None
    return found


def _is_path(module: str) -> bool:
    return "/" in module or os.sep in module or (module.endswith(".py") and Path(module).is_file())


def _meant(sentence: str, module: str, name: str) -> str:
    """Return the sentence with `did you mean module:name?` at its end, if both could be names of Python."""
    if not all(one.isidentifier() for one in (*module.split("."), name)):
        return sentence
    return _("{sentence}; did you mean {near}?").format(sentence=sentence, near=f"{module}:{name}")


def _function(named: str) -> Project:
    """Return the function that `MODULE:FUNCTION` names; AdoptedError if there is none, or it can't be called."""
    found = _imported(named)
    if not callable(found):
        raise AdoptedError(_("--project {named}: it can't be called").format(named=named))
    project: Project = found
    return project


def _is_application(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Application) and value is not Application


def _module(name: str, named: str) -> Any:
    try:
        with quiet(), _other_ports():
            return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            sentence = _("{named}: no module {module}; run the command in the folder that has it, or set PYTHONPATH")
            raise AdoptedError(sentence.format(named=named, module=name)) from None
        sentence = _("{named}: importing {module} failed: {reason}")
        raise AdoptedError(sentence.format(named=named, module=name, reason=told(error))) from error
    except (Exception, SystemExit) as error:
        sentence = _("{named}: importing {module} failed: {reason}")
        raise AdoptedError(sentence.format(named=named, module=name, reason=told(error))) from error


def looks_like_json(state: Any) -> bool:
    """Return whether data is text that begins with a brace, a bracket or a quotation mark; encrypted data is not."""
    try:
        text = state.decode() if isinstance(state, bytes) else str(state)
    except UnicodeDecodeError:
        return False
    return text[:1] in ("{", "[", '"')
