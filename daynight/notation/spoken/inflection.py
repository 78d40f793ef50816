"""Makes the forms of the verbs in `verbs.txt`, as people use them at a table: present, past, passive, no negation.

Forms that do not exist do no harm. Negations, questions and conditionals are left out: they stay unknown words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

_GODAN = {
    "う": ("っ", "た", "て", "い", "わ"), "つ": ("っ", "た", "て", "ち", "た"), "る": ("っ", "た", "て", "り", "ら"),
    "く": ("い", "た", "て", "き", "か"), "ぐ": ("い", "だ", "で", "ぎ", "が"), "す": ("し", "た", "て", "し", "さ"),
    "む": ("ん", "だ", "で", "み", "ま"), "ぶ": ("ん", "だ", "で", "び", "ば"), "ぬ": ("ん", "だ", "で", "に", "な"),
}  # fmt: skip
"""For each ending: the stem of the past, the past, the joining form, the polite stem, and the passive stem."""

_JOINED = (
    "", "いる", "いた", "います", "いました", "る", "た", "しまう", "しまった", "おく", "おいた", "いく", "いった",
    "きた", "きます", "しもた", "しもうた", "もうた", "もた", "やった", "みせた", "のけた",
)  # fmt: skip
_POLITE = ("ます", "ました")
_ROUGH = ("よった", "やがった", "やがる")
_SHORTENED = ("とる", "とった", "とります", "ちゃう", "ちゃった", "ちゃいました", "ちまった")
"""Contractions of what stands in `_JOINED` behind て; behind で they are voiced: `死んどる`, `死んじゃった`."""
_VOICED = str.maketrans("とち", "どじ")
_SHORT = 3
"""A longer English verb may lose the e of its past tense in a hurry: `enterd`."""


def forms(language: str, verb: str) -> Iterator[str]:
    """Yield the forms of a verb, including those listed behind its slashes.

    >>> {"jam", "jams", "jammed", "jamming"} <= set(forms("en", "jam"))
    True
    >>> "戻されました" in set(forms("ja", "戻す5")), "送らない" in set(forms("ja", "送る5"))
    (True, False)
    """
    first, *others = verb.split("/")
    yield from _FORMS[language](first)
    yield from others


def _english(verb: str) -> Iterator[str]:
    yield verb
    if " " in verb:
        return
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        yield f"{verb}es"
    elif verb.endswith("y") and verb[-2] not in "aeou":
        yield from (f"{verb[:-1]}ies", f"{verb[:-1]}ied")
    else:
        yield f"{verb}s"
    if verb.endswith("e"):
        yield from (f"{verb}d", f"{verb[:-1]}ing")
    else:
        doubled = f"{verb}{verb[-1]}" if len(verb) > 2 and verb[-1] in "bdgmnpt" and verb[-2] in "aeiou" else verb
        yield from {f"{verb}ed", f"{verb}ing", f"{doubled}ed", f"{doubled}ing"}
        if len(verb) > _SHORT and not verb.endswith(("n", "e", "d")):
            # Without its e, as in a hurry: enterd.
            yield f"{verb}d"


def _french(verb: str) -> Iterator[str]:
    yield verb
    if verb.endswith("er"):
        stem = verb[:-2]
        soft = f"{stem}e" if stem.endswith("g") else f"{stem[:-1]}ç" if stem.endswith("c") else stem
        yield from (f"{stem}{end}" for end in ("e", "ent", "é", "ée", "ées"))
        yield from (f"{soft}{end}" for end in ("ait", "aient", "ant"))


def _japanese(verb: str) -> Iterator[str]:
    stem, kind = verb[:-1], verb[-1]
    if kind == "0":
        yield stem
        yield from (f"{stem}{end}" for end in _ends(("する",), "し", "した", "して", "される", "され"))
        return
    root = stem[:-1]
    if kind == "1":
        # What ends in られる may mean what somebody can do.
        yield from (f"{root}{end}" for end in _ends(("る",), "", "た", "て", "られた", "られ"))
        return
    before, past, joining, polite, passive = _GODAN[stem[-1]]
    yield from (
        f"{root}{end}"
        for end in _ends((stem[-1],), polite, before + past, before + joining, f"{passive}れる", f"{passive}れ")
    )


def _ends(plain: tuple[str, ...], polite: str, past: str, joining: str, passive: str, suffering: str) -> Iterator[str]:
    """Yield the endings of a Japanese verb and of its passive, put together from these parts."""
    yield from (*plain, past, passive, f"{suffering}た")
    if polite:
        yield polite
    yield from (f"{polite}{end}" for end in _ROUGH)
    short = joining[:-1]
    yield from (f"{short}{end.translate(_VOICED) if joining.endswith('で') else end}" for end in _SHORTENED)
    yield suffering
    yield from (f"{polite}{end}" for end in _POLITE)
    yield from (f"{suffering}{end}" for end in _POLITE)
    yield from (f"{joining}{end}" for end in _JOINED)
    yield from (f"{suffering}て{end}" for end in _JOINED)


_FORMS: Mapping[str, Callable[[str], Iterator[str]]] = {"en": _english, "fr": _french, "ja": _japanese}
