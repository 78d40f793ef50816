"""The repairs in an exported file, as branches that the page can show without a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from daynight.compare.tried import compared, tried_document
from daynight.languages.speaking import speaking
from daynight.projections.audit.audit import Auditor
from daynight.web.exporting.answering import answered
from daynight.web.exporting.merging import merged, once, plain
from daynight.web.shelf import Shelf, Shelved
from daynight.web.telling.marks import KINDS, marks_of
from daynight.web.telling.moments import moment_documents
from daynight.web.telling.teller import teller_of
from daynight.web.writing.tries import Tried, branch_of
from daynight.web.writing.walking import TriedGame, Walked, walked

MOST = 5
"""The most branches in an exported file."""


def branches(
    shelf: Shelf, shelved: Shelved, told: dict[str, Any], languages: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield at most `MOST` branches, one for each repair in `told`: the first repair of each wrong claim comes first.

    A branch has its `edits`, and the answers for the page from event `from`, its first one that differs from the
    record: its earlier moments are the record's.
    """
    rows = [mend["hints"] for mend in told["mends"].values()]
    wanted = [
        hint["edits"]
        for place in range(max(map(len, rows), default=0))
        for hint in [r[place] for r in rows if place < len(r)]
    ]
    seen: list[Any] = []
    for edits in wanted:
        if edits not in seen and len(seen) < MOST:
            seen.append(edits)
            yield _branch(shelf, shelved, edits, languages)


def _branch(shelf: Shelf, shelved: Shelved, edits: list[dict[str, Any]], languages: Sequence[str]) -> dict[str, Any]:
    tried = walked(shelved, msgspec.convert({"edits": edits}, Walked))
    branch = branch_of(shelved.game(), msgspec.convert({"edits": edits}, Tried))
    first = tried.branch.parted + 1
    parts = []
    for language in languages:
        with speaking(language):
            parts.append(_told(shelf, tried, first) | {"what_if": _what_if(branch)})
    whys, why = once([list(items) for items in zip(*[one.pop("whys") for one in parts], strict=True)])
    found: dict[str, Any] = merged(parts)
    return found | {"edits": edits, "from": first, "why": why, "whys": whys}


def _told(shelf: Shelf, tried: TriedGame, first: int) -> dict[str, Any]:
    game: Any = tried.game()
    lines = tried.lines(first - 1, len(game))
    moments = [plain(one) for one in moment_documents(game, teller_of(tried), first - 1, lines)]
    for one in moments:
        one["of"] = tried.branch.origins[one["event"] - 1]
    audited = Auditor(None).record(tried.record())
    audited.record = tried.label
    ended = game.document(None)
    found: dict[str, Any] = plain(
        {
            "moments": moments,
            "marks": marks_of(shelf, tried, KINDS),
            "audit": audited.document(),
            "changes": ended["changes"],
            "triggers": ended["triggers"],
            "whys": [why for why, _forecast in answered(game, {})][first - 1 :],
            **{name: tried.document()[name] for name in ("impossible", "stopped")},
        }
    )
    return found


def _what_if(branch: Any) -> Any:
    where, partings = compared(branch)
    auditor = Auditor(None)
    audits = (auditor.game(branch.of).held, auditor.game(branch.game).held)
    return plain(tried_document(branch, where, partings, audits))
