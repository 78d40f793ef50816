"""Fills names from an everyday sentence into its line of the notation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from daynight.cards.catalogue import bundled
from daynight.cards.names import basic
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.lines.hints import told_or_said, who_says
from daynight.notation.lookups import Lookups
from daynight.notation.register import folded
from daynight.notation.spelling import WrittenName, quoted, unquoted
from daynight.notation.spoken.classes import MOVED, land_name, makes_tokens, names_a_cast, spells, token_name, words_of
from daynight.notation.spoken.numbers import COUNTS
from daynight.notation.spoken.readings import cast_or_there, quoted_if
from daynight.notation.spoken.telling import templates
from daynight.notation.spoken.words import bare, pattern

STEPS = {
    "untap": "untap", "upkeep": "upkeep", "draw": "draw", "main": "main", "end": "end", "cleanup": "cleanup",
    "dégagement": "untap", "entretien": "upkeep", "pioche": "draw", "fin": "end", "nettoyage": "cleanup",
    "phase principale": "main", "アンタップ": "untap", "アップキープ": "upkeep", "ドロー": "draw", "メイン": "main",
    "終了": "end", "エンド": "end", "クリンナップ": "cleanup", "second main": "second main",
    "seconde phase principale": "second main", "combat": "beginning of combat", "戦闘開始": "beginning of combat",
    "damage": "combat damage", **dict.fromkeys(("attack", "attacks", "attackers"), "declare attackers"),
    **dict.fromkeys(("block", "blocks", "blockers"), "declare blockers"),
}  # fmt: skip
TIMES = {
    "day": "day", "night": "night", "neither": "neither", "daytime": "day", "nighttime": "night", "jour": "day",
    "nuit": "night", "昼": "day", "夜": "night",
}  # fmt: skip
_STEP = "|".join(sorted(STEPS, key=len, reverse=True))
_ARRIVES = re.compile(r"\b(?:resolves?|enters?|résout|arrive)\b|解決|出る|出た", re.IGNORECASE)
# A cast of another turn is none of this one.
_OTHER_TURN = re.compile(
    r"\b(?:on|in|during|au|pendant le|lors du) (?:turn|tour) ?[0-9]|\b(?:last|previous|next) turn\b"
    r"|tour (?:précédent|d'avant|suivant)|(?:前|次)のターン|ターン目に|第 ?[0-9]+ ?ターンに",
    re.IGNORECASE,
)
_JOINED = re.compile("(?:and|but|which|et|mais|puis|qui) ", re.IGNORECASE)
# An article with a capital is a part of the name: `The Village Watch` is asked back.
_ARTICLE = re.compile("(?:The|Le|La|Les) |L'")
# What stands behind a player's name in Japanese is no part of it.
_FOLLOWED = re.compile("[はがもに、,]")
# A kind of token is a name alone; how many there are, and that they are creatures, is no part of it.
_COUNTED = re.compile(
    r"(?<!^)\b(?:of|creature|(?:en|dé)gagée?s?)\b|クリーチャー|créature|状態|(?<=[^\W\d] )[0-9*]+/", re.IGNORECASE
)
_TOKENS = re.compile(r"\b(?:token|jeton)s?\b|トークン", re.IGNORECASE)
_BETWEEN = re.compile(r" *, *(?:and |et )?| and | et |と|、")


class AskedBackError(UnreadableError):
    """The sentence is ambiguous; the message is the question to ask."""


def filled(line: str, found: re.Match[str], lookups: Lookups, *, known: bool) -> str | None:
    """Return the row's `line` with all names filled in; `-` for no event; None if a player, card or turn does not fit.

    With `known`, every card must be a known card.

    Raises:
        AskedBackError: where the sentence has two possible meanings.
        UnreadableError: where a permanent is unknown, or a name is ambiguous.
    """
    # A name that occurs several times in a row gets a number from the second time on.
    said = {name.rstrip("23"): text for name, text in found.groupdict().items() if text is not None}
    if "tail" in said and pattern("another").search(said["tail"]) is not None:
        return None
    there = {name: _words(name, text) for name, text in said.items()}
    if not _people(line, said, there, lookups):
        return None
    for name in said.keys() & {"what", "one"}:
        there[name] = _permanents(said[name], lookups)
    if line in ("-", "--"):
        told = found.string
        more = _more(told, lookups) or names_a_cast(told, lookups) or makes_tokens(told, lookups)
        return None if more and line == "-" else "-"
    if not _cards(said, there, lookups, known=known) or _is_another(line, found.string, there, lookups):
        return None
    if line in _STEPS_OF and "who" in there:
        return _in_turn(line, there, lookups)
    if not _placed(line, said, there, lookups):
        return None
    line = _had_or_cast(line, found.string, said, there, lookups)
    if line.startswith("?"):
        there.setdefault("who", _active(lookups))
        raise AskedBackError(_asked(line, said, there))
    if line.startswith("! concedes"):
        others = [player for player in lookups.players if quoted(player) != there["who"]]
        line = f"{quoted(others[0])} wins" if len(others) == 1 else "{who} leaves the game"
    return re.sub(r"\{([a-z]+)\}", lambda named: there[named[1]], line)


def _placed(line: str, said: Mapping[str, str], there: dict[str, str], lookups: Lookups) -> bool:
    """Put the numbers of the previous and next turn, if `line` has them, and a face into `there`; False if not known.

    Raises:
        AskedBackError: where the speaker is not named: `someone says night`.
    """
    if "{by}" in line and pattern("nobody").fullmatch(unquoted(there["by"])) is not None:
        raise AskedBackError(who_says(there.get("time", "night")))
    if "{prev}" in line:
        number = next((number for player in lookups.players if (number := lookups.next_turn(player)) is not None), 0)
        there["prev"] = str(number - 2)
        if number < _THIRD:
            return False
    if "{next}" in line:
        if (next_one := lookups.next_turn(unquoted(there["who"]))) is None:
            return False
        there["next"] = str(next_one)
    return "side" not in said or _shown(said["side"], there, lookups)


_THIRD = 3


def _shown(text: str, there: dict[str, str], lookups: Lookups) -> bool:
    """Put into `there` whether `text` names a `front` or a `back`; return False if the catalogue has no such face."""
    name = bare(text)
    if not lookups.is_card(name, ours=True):
        return False
    english = lookups.card(WrittenName(name, False, 1, 1))
    there["side"] = "front" if bundled()[english].front.name == english else "back"
    return True


def _is_another(line: str, text: str, there: Mapping[str, str], lookups: Lookups) -> bool:
    """Return whether `line` misreads `text`: as a cast of another turn or of a moved card, or as an arrival."""
    if line.startswith("? resolves"):
        return not lookups.is_permanent(unquoted(there["ours"]))
    return " casts " in line and (_OTHER_TURN.search(text) or MOVED.search(text)) is not None


def _had_or_cast(line: str, text: str, said: Mapping[str, str], there: Mapping[str, str], lookups: Lookups) -> str:
    """Return, for a card that a player has, a cast if it is a spell, else a question; return other lines unchanged."""
    if line.startswith("? plays") and "card" in there and unquoted(there["card"]).casefold() in spells():
        return "{who} casts {card}"
    # In French `a` is has, in English an article.
    french = line == "{who} casts {known}" and _HAS.match(text, len(said["who"])) is not None
    if not line.startswith("? has") and not french:
        return line
    # `Bo has the Counterspell` is a cast; for Storm Crow it is unclear: a cast, or a permanent there already.
    the = _THE.search(text) is not None
    asked = "when" not in said and (not the or lookups.is_permanent(unquoted(there["known"])))
    return "? has {who} {known}" if asked else "{who} casts {known}"


_HAS = re.compile(r" (?:en )?a (?!\w*(?:lanc|jou|cast|mis|pos|invoqu|tent|pay|engag))", re.IGNORECASE)
_THE = re.compile(r"\b(?:the|le|la|son|sa)\b|\bl'|\b(?:ready|pour|for)\b", re.IGNORECASE)

_STEPS_OF = (
    "untap", "untap, draw", "end", "{steps}", "untap, {step}", "untap, {steps}", "{step}", "main", "second main",
    "draw",
)  # fmt: skip


def _in_turn(line: str, there: Mapping[str, str], lookups: Lookups) -> str | None:
    """Return `line` for steps of a player's turn; if that turn has not begun, with a line before that begins it.

    None if it has not begun, and the first step is not untap, upkeep or draw.
    """
    steps = re.sub(r"\{([a-z]+)\}", lambda named: there[named[1]], line)
    if (turn := lookups.next_turn(unquoted(there["who"]))) is None:
        return steps
    return f"turn {turn} {there['who']} ;; {steps}" if steps.startswith(("untap", "upkeep", "draw")) else None


def _people(line: str, said: Mapping[str, str], there: dict[str, str], lookups: Lookups) -> bool:
    """Put the players, quoted, into `there`; return False if `whom` or `who` is no player.

    In a line with `{by}`, `who` is a speaker, who may be anyone. In any line, return False if `who` is a statement.
    """
    if "who" in said:
        by = _speaker(said["who"], lookups)
        if _sentence(by, lookups) or ("{by}" in line and _NOBODY.fullmatch(by) is not None):
            return False
        if any(_FOLLOWED.match(by, len(name)) for name in lookups.players if by.casefold().startswith(name.casefold())):
            return False
        there["by"] = quoted(by)
    for name in said.keys() & ({"whom"} if "{by}" in line else {"who", "whom"}):
        try:
            there[name] = quoted(lookups.player(WrittenName(bare(said[name]), False, 1, 1)))
        except UnreadableError:
            return False
    return True


def _cards(said: Mapping[str, str], there: dict[str, str], lookups: Lookups, *, known: bool) -> bool:
    """Put the cards, quoted, into `there`; return False if one does not fit, or with `known` if one is unknown."""
    for name in said.keys() & {"card", "ours", "known", "other", "effect"}:
        card = _card(_effect(said[name], lookups) if name == "effect" else said[name], lookups)
        if name == "effect" and card not in lookups.turning:
            return False
        if (known or name != "card") and not lookups.is_card(card, ours=name == "ours"):
            return False
        if name == "card" and not lookups.is_card(card, ours=False) and _named_besides(said[name], lookups):
            return False
        if name == "known" and land_name(card, lookups) is not None:
            return False
        there[name] = quoted(card)
    if not _things(said, there, lookups):
        return False
    if "source" in said:
        source = _source(said["source"], lookups)
        if source[0].islower() and not lookups.is_card(source, ours=False):
            # `everything flips to night`: its subject is not a card.
            return False
        there["source"] = quoted(source)
    if "tail" in said:
        cast = there.get("ours") or there.get("known")
        if cast is not None and _ARRIVES.search(said["tail"]) is not None and lookups.is_permanent(unquoted(cast)):
            return False
        there["tail"] = _JOINED.sub("", said["tail"])
    return True


def _effect(text: str, lookups: Lookups) -> str:
    """Return the full name of a card that makes it day or night for a `text` such as `celestus`; else `text`."""
    asked = {bare(text).casefold(), f"the {bare(text).casefold()}"}
    return next((name for name in lookups.turning if name.casefold() in asked), text)


def _things(said: Mapping[str, str], there: dict[str, str], lookups: Lookups) -> bool:
    """Put an entering card or token into `there`; return False if the name has a word such as `token` or `creature`."""
    if "arrival" in said:
        name, bracket, rest = said["arrival"].partition(" (")
        first = name.partition(" ")[0].casefold()
        doing = " " in name and first in map(str.casefold, lookups.players) and not lookups.is_card(name, ours=False)
        if doing or _TOKENS.search(name) is not None:
            # Bo lets it resolve, Kessig Naturalist enters.
            return False
        if lookups.is_card(name, ours=False):
            there["arrival"] = _in_brackets(f"{name}{bracket}{rest}")
    if "token" in said and _COUNTED.search(said["token"]) is not None:
        return False
    if "token" in said:
        token = quoted(lookups.card(WrittenName(token_name(said["token"]), False, 1, 1), token=True))
        crowd = ", ".join([f"{token} (token)"] * int(there.get("n", "1")))
        there.update(token=token, crowd=crowd, id=f"{said['id']}, " if "id" in said else "")
    return True


def _named_besides(text: str, lookups: Lookups) -> bool:
    """Return whether a text that is no card contains the name of a card or permanent: `Opt or Shock`."""
    if text in lookups.words_of_permanents():
        return False
    found = [word for word in words_of(text, lookups) if word.end - word.start < len(text)]
    if found and found[0].text[0].islower() and not found[0].classes.isdisjoint("sS"):
        return True
    return any("M" in word.classes or ("C" in word.classes and not word.text[0].islower()) for word in found)


def _words(name: str, text: str) -> str:
    """Return `text`, found for the placeholder `name`, in words of the notation: times, steps, numbers, lands."""
    folded = text.casefold()
    if name == "land":
        return quoted(basic(text) or text.title())
    if name == "steps":
        return ", ".join(STEPS[step.casefold()] for step in re.findall(_STEP, text, re.IGNORECASE))
    if name in ("arrival", "arrivals"):
        return _in_brackets(text if name == "arrivals" or _ARTICLE.match(text) else bare(text))
    if name in ("n", "m", "turn"):
        return str(COUNTS.get(folded, text))
    return {"time": TIMES, "step": STEPS}.get(name, {}).get(folded, text)


def _in_brackets(text: str) -> str:
    """Return a text with the words in its brackets in English: `(w1, jeton)` becomes `(w1, token)`."""
    words = {
        line: what.removeprefix("bracket ")
        for language in ("fr", "ja")
        for what, line in templates(language).items()
        if what.startswith("bracket ")
    }
    return _OPTION.sub(lambda option: words.get(option[0].casefold(), option[0]), text)


_OPTION = re.compile(r"(?<=[(\[,、 ])[^(),\[\]、 ][^(),\[\]、]*(?=[)\],、])")


def _active(lookups: Lookups) -> str:
    """Return the active player, quoted; the first player if it is not certain who is active; `Ana` without players."""
    first = next(iter(lookups.players), "Ana")
    return quoted(next((who for who in lookups.players if lookups.next_turn(who) is None), first))


def _asked(line: str, said: Mapping[str, str], there: Mapping[str, str]) -> str:
    """Return the question for a `line` that begins with `?`: what may be meant, and how to write it."""
    if line.startswith("? claim"):
        return who_says(there["time"])
    if line.startswith("? transforms"):
        return told_or_said(there["what"].split(", ")[0].strip('"'))
    if line.startswith("? maybe"):
        sentence = _("what is not certain is a line like: {line}")
        return sentence.format(line=f"{quoted_if(unquoted(there['who']))} casts 0-1 more")
    if line.startswith("? has"):
        return cast_or_there(unquoted(there["who"]), unquoted(there["known"]))
    if line.startswith("? resolves"):
        who, what = (quoted_if(unquoted(there[name])) for name in ("who", "ours"))
        return _("did it enter? A line is like: {line}").format(line=f"{who}: {what} enters")
    card = said["card"] if "card" in said else said["known"]
    sentence = _("did you mean {cast}? A land is not cast, it enters: {land}")
    return sentence.format(cast=f"{said['who']} casts {card}", land=f"{said['who']}: {card} enters")


def _sentence(by: str, lookups: Lookups) -> bool:
    """Return whether a text in the place of a speaker is really a statement: `Jo makes the ruling`."""
    words = words_of(by, lookups)
    telling = [word for word in words[1:] if word.text[0].islower() and word.classes & set("cnmgdDuohxq&~$")]
    return bool(telling) or _DOES.search(by, 1) is not None


_NOBODY = re.compile(
    r"(?:rules?|ruling|says?|said|decision|call|lui|elle|eux)|(?!the |l'|le |la )[a-z']+(?: [a-z']+){2,}"
)
_DOES = re.compile(r"[がはを]|\b(?:and|he|she|they|then|but|it|il|elle|ils|elles|et|mais|puis|who|qui)\b")


def _speaker(text: str, lookups: Lookups) -> str:
    text = bare(text)
    for player in lookups.players:
        rest = text[len(player) :].strip()
        if text.casefold().startswith(f"{player.casefold()} ") and pattern("adverb").fullmatch(rest) is not None:
            return player
    return next((player for player in lookups.players if player.casefold() == text.casefold()), text)


def _owned(text: str, lookups: Lookups) -> Iterator[str]:
    """Yield a text, then without words like `the` before it, then without its owner too: `Bo's w1`, `w1`."""
    yield text
    yield (plain := bare(text))
    for player in lookups.players:
        for whose in (rf"{re.escape(player)}(?:'s |の)(.+)", rf"(.+) (?:de |d'){re.escape(player)}"):
            if (found := re.fullmatch(whose, plain, re.IGNORECASE)) is not None:
                yield bare(found[1])


def _permanents(text: str, lookups: Lookups) -> str:
    """Return the ids of the permanents in a text, quoted, with commas between them.

    Raises:
        UnreadableError: where one of them is unknown or ambiguous.
    """
    parts: Sequence[str] = [text] if lookups.is_known(text) else [part for part in _BETWEEN.split(text) if part]
    return ", ".join(quoted(_permanent(part, lookups)) for part in parts)


def _permanent(text: str, lookups: Lookups) -> str:
    refused: UnreadableError | None = None
    for name in _owned(text, lookups):
        try:
            return lookups.permanent(WrittenName(name, False, 1, 1))
        except UnreadableError as error:
            refused = error
    assert refused is not None
    worded = lookups.words_of_permanents()
    for name in _owned(text, lookups):
        if len(ids := worded.get(folded(name), ())) == 1:
            return ids[0]
    raise refused


def _card(text: str, lookups: Lookups) -> str:
    """Return the full name of the card that `text` names, perhaps with an article or an owner.

    Raises:
        UnreadableError: where it is nearly a name of the catalogue, or ambiguous.
    """
    for name in _owned(text, lookups) if _ARTICLE.match(text) is None else (text,):
        if lookups.is_card(name, ours=False):
            return lookups.card(WrittenName(name, False, 1, 1))
    return lookups.card(WrittenName(text if _ARTICLE.match(text) else bare(text), False, 1, 1))


def _source(text: str, lookups: Lookups) -> str:
    contracted = f"le {text[3:]}" if text.casefold().startswith("du ") else text
    for name in (text, contracted, bare(text)):
        if lookups.is_card(name, ours=True):
            return lookups.card(WrittenName(name, False, 1, 1))
    return text


def _more(text: str, lookups: Lookups) -> bool:
    """Return whether a text contains another event, or the activation of a card that makes it day or night."""
    folded = text.casefold()
    turning = "activ" in folded and any(name.casefold() in folded for name in lookups.turning)
    return turning or _ANOTHER.search(folded) is not None


_ANOTHER = re.compile(
    r"\b(?:perd|loses|dies)$|"
    r"\b(?:except|besides|other than|apart from|(?:nothing|anything) but|sauf|excepté|autre que|à part)\b|以外|しか"
    r"|(?:\b(?:and|then|but|et|puis|mais|after|before)\b|[,;、]|して).*(?:cast|play|enter|die|sac|exile|destroy"
    r"|night|day"
    r"|transform|lance|joue|meurt|arrive|exil|détrui|nuit|jour|唱え|死亡|破壊|追放|戦場|変身|夜|昼)"
)
