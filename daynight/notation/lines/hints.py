"""Recognises texts that are not in the notation although their meaning is clear: `it is night`, `Bo passes`.

A refused line is looked up here first, whether it comes from a file, from an EVENT of a command, or from the prompt of
`daynight record`. That prompt also acts on some of these texts.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.wording import _

Kind: TypeAlias = Literal["claim", "nothing", "pass", "what", "why", "undo", "help", "quit"]
"""What a text means: it is day or night; nothing happens; a turn ends; two questions; three commands of a prompt."""


class Meaning(NamedTuple):
    """The meaning of a text; `subject` is the designation, player or permanent that it is about, "" if none."""

    kind: Kind
    subject: str = ""


_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("claim", r"(?:it(?: is|'s|s)? )?(?:now )?(day|night|neither)(?: now)?"),
    ("claim", r"(?:(?:il fait|c'est|on est) )?(?:maintenant )?(?:le |la |de )?(jour|nuit)(?: maintenant)?"),
    ("claim", r"(?:今は|今|もう)?(昼|夜)(?:だ|です|だよ|ですよ|になった|になりました)?"),
    ("nothing", r"(.+) (?:does|did|do) nothing"),
    ("nothing", r"(.+) (?:does|did)(?: not|n't) (?:cast|do|play)(?: .+)?"),
    ("nothing", r"(?:there (?:is|was) )?(?:no (?:spells?|casts?)(?: .+)?|nothing(?: happens| happened)?)"),
    ("nothing", r"rien|(?:pas de|aucun) sorts?|(.+) ne (?:fait|lance|joue) (?:rien|aucun sort|pas de sort)"),
    ("nothing", r"(?:呪文|対応|何も)なし|何もしない|(.+?)(?:は|が)(?:何もしない|何も唱えない|呪文を唱えない)"),
    ("nothing", r"(.+) (?:passes priority|passe la priorité)|(.+?)(?:は|が)優先権をパス(?:する)?"),
    ("pass", r"(?:pass|next)(?: (?:the )?turn)?|(?:end|ends) (?:of )?(?:the )?turn"),
    ("pass", r"(.+) (?:passes(?: the)?(?: turn)?|ends (?:the |his |her |their )?turn)"),
    ("pass", r"(?:je )?passer?(?: (?:mon|le) tour)?|(?:au )?(?:tour )?suivant|fin (?:du|de) tour"),
    ("pass", r"パス(?:する|します)?|次(?:へ|のターン)?|ターン(?:終了|エンド|を渡す)"),
    ("pass", r"(.+) (?:passe(?: (?:son|le) tour)?|(?:finit|termine) son tour)"),
    ("pass", r"(.+?)(?:が|は)(?:パス(?:する)?|ターン(?:を終える|を渡す|終了|エンド))"),
    ("what", r"what(?: is|'s) it(?: now)?|is it (?:now )?(?:day|night|neither)(?: .+)?|(?:day or night|state|status)"),
    (
        "what",
        r"(?:il fait |c'est |on est )?(?:le |la )?jour ou (?:la )?nuit|il fait quoi|état|quel est l'état|c'est quoi",
    ),
    ("what", r"(?:今は)?(?:昼か夜か|昼夜|昼ですか夜ですか|どっち|どちら|昼?夜?どっち)(?:ですか)?|状態|今は"),
    ("why", r"(?:why|pourquoi) (?:is|so|il|fait|est|c'est|la|le)\b.*"),
    ("why", r"(?:why|pourquoi)(?: (.+))?"),
    ("why", r"(?:なぜ|何故|どうして)(?:.*[昼夜].*)?|(?:なぜ|何故|どうして) (.+)"),
    ("undo", r"undo|oops|take (?:it|that) back"),
    ("undo", r"annuler?|défaire|oups|reprendre|取り消(?:し|す)|元に戻す|戻す|アンドゥ"),
    ("help", r"help|\?|commands|aide|aide-moi|ヘルプ|使い方|助けて|？"),
    ("quit", r"quit|exit|bye|quitter|sortir|au revoir|やめる|終わる|終わり"),
)


_ABOUT = (
    ("Bo says Ana cast 2 in turn 4", r"\b(?:says?|claims?|thinks?|dit|affirme)\b.*\b(?:cast|lanc)|唱え.*(?:言|主張)"),
    ("Jo rules night", r"\b(?:judge|ruling|arbitre|juge|décision)\b|ジャッジ|審判|裁定"),
    (
        "it becomes night by The Celestus",
        (
            r"\b(?:becom|mak|turns it|turned|falls?|devien|fait|tomb|lève).*\b(?:night|day|nuit|jour)\b"
            r"|(?:夜|昼)に"
        ),
    ),
    ("Bo says night", r"\b(?:night|day|nuit|jour)\b|夜|昼"),
    ("turn 5 Ana", r"\b(?:turn|tour)\b|ターン"),
    ("w1 transforms by Moonmist", r"\b(?:transform|flip|retourn)|変身|裏"),
    ("Ana: Wolf (t1, token) enters", r"\b(?:tokens?|jetons?)\b|トークン"),
    ("Ana: Forest (f1) enters", r"\b(?:lands?|terrain|land drop)\b|土地|ランド"),
    (
        "w1 leaves to graveyard",
        (
            r"\b(?:dies?|died|dead|kill|destroy|sac|sacrific|graveyard|bin|meur|mort|tue|détrui|sacrifi|cimetière)"
            r"|死亡|死ぬ|死ん|破壊|墓地|生け贄"
        ),
    ),
    ("w1 leaves to exile", r"\bexil|追放"),
    ("w1 leaves to hand", r"\b(?:bounc|hand\b|main\b)|手札|バウンス"),
    ("w1 leaves to library", r"\b(?:library|deck|bibliothèque)\b|ライブラリー|山札"),
    ("Bo controls w1", r"\b(?:control|steal|contrôl|vole)|コントロール|奪"),
    ("Ana: Tavern Ruffian (w1) enters", r"\b(?:enter|battlefield|board|arriv|champ de bataille|en jeu)|戦場|場に"),
    ("Bo copies Opt", r"\bcop(?:y|ies|ie)|コピー"),
    ("w1 phases out", r"\b(?:phas|déphas)|フェイズ・?(?:アウト|イン)"),
    ("untap, upkeep", r"\b(?:untap|upkeep|step|phase|étape|entretien|dégagement)\b|ステップ|フェイズ|アップキープ"),
    ("the game ends", r"\b(?:game|partie|match)\b|ゲーム"),
    ("Ana wins", r"\b(?:win|won|los[et]|conced|scoop|gagne|perd|concèd)|勝|負け|投了"),
    ("w1 loses abilities by Humility", r"\b(?:abilit|capacité)|能力"),
)
"""Pairs of an example line and the pattern of the words that show this subject in an invalid text."""


def about(text: str) -> tuple[str, str] | None:
    """Return an example line about the subject of a text, and the word that shows the subject; None for no subject.

    >>> about("Ana vole w1"), about("Ana hums")
    (('Bo controls w1', 'vole'), None)
    """
    for line, pattern in _ABOUT:
        if (found := re.search(pattern, text[:NAME_LENGTH], re.IGNORECASE)) is not None:
            return line, found[0]
    return None


_TIMES = {"jour": "day", "nuit": "night", "昼": "day", "夜": "night"}


def remark(text: str) -> Meaning | None:
    """Return the meaning of a line that is not in the notation; None if it is not recognised.

    >>> remark("it's night")
    Meaning(kind='claim', subject='night')
    >>> remark("Ana casts Opt") is None
    True
    """
    words = " ".join(text.split())
    words = words.replace("\u2019", "'").rstrip(" .!?。！？") or words
    if len(words) > NAME_LENGTH:
        return None
    for kind, pattern in _PATTERNS:
        if (found := re.fullmatch(pattern, words, re.IGNORECASE)) is not None:
            subject = next((group for group in found.groups() if group), "")
            return Meaning(kind, _TIMES.get(subject.casefold(), subject.casefold()) if kind == "claim" else subject)
    return None


def told_or_said(id: str) -> str:
    """Return the question whether a card told a permanent to transform, or the text only says which face it shows."""
    sentence = _("told so by a card, or do you say that it shows its back? Write {told}, or {shows}")
    return sentence.format(told=f"{id} transforms by Moonmist", shows=f"Ana says {id} shows back")


def who_says(time: str) -> str:
    """Return the question who says that it is `time` (day, night or neither), with an example line for each answer."""
    sentence = _("who says so? A line is like: {claim}; of a judge: {ruling}; of a card: {effect}")
    effect = "it becomes day" if time == "neither" else f"it becomes {time}"
    return sentence.format(claim=f"Ana says {time}", ruling=f"Jo rules {time}", effect=effect)


def hint(text: str) -> str | None:
    """Return the sentence that says what to write instead of an invalid line; None if its meaning is not clear."""
    meant = remark(text)
    if meant is None:
        return None
    if meant.kind == "claim":
        return who_says(meant.subject)
    if meant.kind == "nothing":
        sentence = _(
            "what does not happen has no line; a turn ends where the next one begins: {turn}; at the prompt of daynight"
            " record: {word}"
        )
        return sentence.format(turn="turn 5 Ana", word="pass")
    if meant.kind == "pass":
        sentence = _(
            "a turn ends where the next one begins, with a line like: {turn}; at the prompt of daynight record: {word}"
        )
        return sentence.format(turn="turn 5 Ana", word="pass")
    if meant.kind in ("why", "what"):
        command = "daynight why FILE" if meant.kind == "why" else "daynight replay FILE"
        return _("this is no line of a record; {command} answers it").format(command=command)
    if meant.kind == "undo":
        sentence = _("a record takes events back with a line like: {line}; at the prompt of daynight record: {word}")
        return sentence.format(line="Jo backs up to e12", word="undo")
    sentence = _("this is a word for the prompt of daynight record; a line of a record is like: {line}")
    return sentence.format(line="Ana casts Opt")
