"""Splits a line into clauses, and decides whether a clause is denied, doubted, told as a fact, or only a remark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from daynight.notation.lookups import Lookups
from daynight.notation.loose.tokens import NAMES, Token
from daynight.notation.loose.vocabulary import listed
from daynight.notation.spoken.classes import folded
from daynight.notation.spoken.words import cheers, refers_back

HAPPENING = (
    "cast", "counter", "copy", "die", "kill", "sacrifice", "exile", "bounce", "tuck", "enter", "control", "say",
    "concede", "win", "lose", "day", "night", "spell", "spells", "something", "other", "take", "turn", "pass",
    "token", "transform", "phase-out", "phase-in", "blink", "effect", "trade",
)  # fmt: skip
"""Kinds of words in `words.txt` that may tell of an event."""


class Clause(NamedTuple):
    """A clause: its text and its tokens, whether it gives a reason for another one, and the word or sign before it."""

    text: str
    tokens: tuple[Token, ...]
    is_reason: bool
    joint: str = ""

    def has(self, *kinds: str) -> bool:
        """Return whether a token has one of these kinds."""
        return any(token.is_(*kinds) for token in self.tokens)

    def all_(self, *kinds: str) -> list[Token]:
        """Return the tokens of one of these kinds."""
        return [token for token in self.tokens if token.is_(*kinds)]

    @property
    def is_denied(self) -> bool:
        """Whether it has a negation, apart from phrases that deny no event, such as `nobody responds`."""
        plain = folded(self.without_names())
        return listed("not").search(listed("quiet").sub(" ", plain)) is not None

    def without_names(self) -> str:
        """The text with the letter Ж in place of each name, because any word may stand in a name."""
        text, start = self.text, self.tokens[0].start if self.tokens else 0
        for token in reversed(self.tokens):
            if token.is_(*NAMES):
                text = f"{text[: token.start - start]}Ж{text[token.end - start :]}"
        return text


def is_doubted(clause: Clause) -> bool:
    """Return whether a clause has a word of doubt (`never` in `unsure.txt`): a question, wish, plan or other game."""
    return listed("never").search(folded(clause.without_names())) is not None


def is_told(clause: Clause) -> bool:
    """Return whether the verbs of a clause tell what happened, and not what somebody likes, plans or says of it.

    Before an infinitive or a form in `-ing` there must be words that make it a fact, such as `vient de` or `is`. Behind
    the last Japanese verb only endings may follow.
    """
    start = clause.tokens[0].start
    verbs = [token for token in clause.tokens if token.is_(*_VERBS)]
    for verb in verbs:
        plain, before = folded(verb.text), folded(clause.text[: verb.start - start])
        if plain.endswith("ing") and _IS_DOING.search(before) is None:
            return False
        if _TO_DO.search(before) is not None and _HAS_DONE.search(before) is None:
            return False
        if _INFINITIVE.fullmatch(plain) is not None and _HAS_DONE.search(before) is None:
            return False
    if verbs and _JAPANESE.search(verbs[-1].text) is not None:
        rest = clause.text[verbs[-1].end - start :]
        if verbs[-1].text.endswith(("に", "へ")):
            names = [token for token in clause.tokens if token.is_(*NAMES) and token.start >= verbs[-1].end]
            rest = "" if names and names[-1].end == clause.tokens[-1].end else rest
        return _ENDING.fullmatch(rest) is not None
    return True


_VERBS = (
    "cast",
    "counter",
    "copy",
    "die",
    "kill",
    "sacrifice",
    "exile",
    "bounce",
    "tuck",
    "enter",
    "control",
    "concede",
    "return",
)
_IS_DOING = re.compile(
    r"(?:\bis|\bare|\bwas|'s|\bby|\bends? up|\bended up|\bstarts?|\bfinish(?:es|ed)|\bkeeps|\bgoes on)"
    r"(?: \w+ly| now| just)? $"
)
_TO_DO = re.compile(r"\bto(?: \w+ly)? $")
_HAS_DONE = re.compile(
    r"(?:(?:manages?|managed|decides?|decided|gets?|got|chooses?|chose|elects?|proceeds?|had|went on|goes on) to"
    r"|(?:vient|viennent|venait) (?:juste |tout juste )?d[e']|en train d[e']|(?:finit|finissent|fini) par"
    r"|(?:se fait|se font|s'est fait|se sont fait)"
    r"|(?:decide|decident|choisit|choisi) d[e']|(?:reussit|reussi|arrive|parvient|parvenu|parvenue) a"
    r"|se met a|commence (?:a|par)|s'empresse d[e'])(?: \w+ly)? ?$"
)
_INFINITIVE = re.compile("(?!.*\\bover\\b)[a-z' ]*(?:[a-z]er|[a-z]ir|[a-z]dre|[a-z]ttre|[a-z]ire)(?: .*)?")
_ENDING = re.compile(
    "(?:ん|の|っ|う|ー|~|～|!|！|。|、|w|ｗ|笑|草|です|でした|だ|だった|よ|ね|な|なあ|ぞ|わ|さ|が|けど|けれど|ので|から|し|も|ました|ます|た|る|て|いる|いた"
    "|います|まいました|まった|まう|しまう|しまった|しまいました|しまって|ことになる|ことになった|ことになります|こと|ちゃう|ちゃった|とのこと|くる|きた|きます|きました|いく|いった|いきました|みる|みた|おく|おいた|くれた|もらう|もらった|って|はい|以上|順に|同時に"
    "|や|やで|やわ|やん|やね|やな|やって|やけど|ねん|んや|のや|じゃ|じゃった|のう|ぜ|わい|っす|ッス|とさ|でござる|さかい"
    "|へ|に|行き|送り|なる|なった|なります|になりました|[0-9]点|[ 0-9]|[」』])*"
)


def clauses_of(text: str, tokens: Sequence[Token]) -> list[Clause]:
    """Return the clauses of a line, split at joints such as `,` and `then`; a list of permanents is in one clause."""
    parts = [*_split(tokens)]
    joined: list[tuple[list[Token], str]] = []
    for part, joint in parts:
        if joined and _goes_on(joined[-1][0], part, joint):
            joined[-1] = [*joined[-1][0], *part], joined[-1][1]
        else:
            joined.append((part, joint))
    return [
        Clause(text[part[0].start : part[-1].end], tuple(part), _is_reason(part), joint)
        for part, joint in joined
        if part
    ]


def _split(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], str]]:
    part: list[Token] = []
    joint = ""
    for token in tokens:
        japanese = _JAPANESE.search(token.text) is not None
        joins = part and part[-1].is_(*HAPPENING, "plays") and part[-1].text.endswith(_JOINING)
        if joins and _WORD.match(token.text) is not None:
            # 撃って倒した: a verb that goes on.
            yield part, joint
            part, joint = [], ""
        if token.is_("joint", "reason"):
            if part:
                yield ([*part, token] if japanese and token.is_("reason") else part), joint
            part, joint = ([token] if token.is_("reason") and not japanese else []), token.text
        else:
            part.append(token)
    if part:
        yield part, joint


_JAPANESE = re.compile("[\u3040-\u9fff]")
_JOINING = ("て", "んで", "いで")
_WORD = re.compile("[\u30a0-\u30ff\u4e00-\u9fffA-Za-z](?<![欲下無頂])")
_LISTS = re.compile(r"[,、]|and|et|と|・")


def _goes_on(before: Sequence[Token], part: Sequence[Token], joint: str) -> bool:
    """Return whether a part continues the list of permanents at the end of `before`; `joint` is what joins them."""
    if _LISTS.fullmatch(joint) is None or any(token.is_("player") for token in part):
        return False
    first, then = _names_in(before), _names_in(part)
    if not first or not then or not (before[-1].is_("permanent") or first[-1] is before[-1]):
        return False
    return first[-1].is_("permanent") and then[0].is_("permanent") and part.index(then[0]) <= _APART


_ARTICLES = frozenset({"The", "La", "Le", "Les", "L'"})
_APART = 2
"""The most words before the first name in a part that continues a list."""


def _names_in(part: Sequence[Token]) -> list[Token]:
    return [token for token in part if token.is_("permanent", "card")]


def _is_reason(part: Sequence[Token]) -> bool:
    return part[0].is_("reason") or part[-1].is_("reason")


def is_remark(clause: Clause, lookups: Lookups) -> bool:
    """Return whether a clause certainly tells of no event: chat, or a sentence with no permanent, card or event."""
    chat = listed("chat").search(folded(clause.text).strip(" .!"))
    if chat is not None and chat[0] == folded(clause.text).strip(" .!"):
        return True
    plain = folded(clause.text).strip(" .!")
    if _is_quiet(plain) or cheers(clause.text) or casts_none(clause):
        return True
    if clause.has("permanent", "card", "land", *HAPPENING):
        return False
    if all(token.is_("word", "be", "number", "stack") or token.text in ("!", "だ", "ま") for token in clause.tokens):
        return clause.has("word", "stack") or _LIFE.fullmatch(plain) is not None
    words = [token for token in clause.tokens if not token.is_("player", "number")]
    if refers_back(plain) and not clause.has("player", "plays", "does"):
        # The goblin too: what was told of something else is true of it.
        return False
    if any(is_name(token, clause) for token in words):
        return False
    if clause.has("player"):
        return not clause.is_denied or (_is_whole(clause) and _is_sentence(clause, words))
    return chat is not None or (_is_sentence(clause, words) and not _may_name(words, lookups))


def _is_quiet(plain: str) -> bool:
    return listed("quiet").fullmatch(plain) is not None


def casts_none(clause: Clause) -> bool:
    """Return whether a clause says that a player does nothing, or casts no spell."""
    said = _said_of(clause)
    return _is_quiet(said) or listed("none").fullmatch(said) is not None


def _said_of(clause: Clause) -> str:
    """Return what a clause says of the player with whom it begins, in lower case: `何もしない` of `Boは何もしない`."""
    behind = [token for token in clause.tokens if not token.is_("player", "subject")]
    begins = behind and clause.tokens[0].is_("player") and not any(token.is_("player") for token in behind)
    return folded(clause.text[behind[0].start - clause.tokens[0].start :]).strip(" .!") if begins else ""


_LIFE = re.compile("[5-9]|[1-9][0-9]{1,2}")
"""A number that stands alone behind an event: somebody's life."""


def _may_name(words: Sequence[Token], lookups: Lookups) -> bool:
    """Return whether these are at most three words, one of which is a card's name if it is written with a capital."""
    long = [token for token in words if len(token.text) > _APART + 1]
    return len(words) <= _FEW and any(lookups.is_card(token.text.title(), ours=False) for token in long)


def _is_sentence(clause: Clause, words: Sequence[Token]) -> bool:
    """Return whether a clause has a word that sentences have and names have not."""
    if not any(token.text.isascii() and token.text.isalpha() for token in words):
        return bool(words) and len(clause.text) >= _FEW and _KANA.search(clause.text) is not None
    told = any(listed("function").fullmatch(folded(token.text)) is not None for token in words)
    return told or clause.has("plays", "does", "pronoun", "it", "be")


def _is_whole(clause: Clause) -> bool:
    """Return whether the clause has what its negation denies: a word of four letters behind it, or Japanese text."""
    if not clause.text.isascii() and _JAPANESE.search(clause.text) is not None:
        return True
    words = clause.text.split()
    denied = [place for place, word in enumerate(words) if listed("not").fullmatch(folded(word)) is not None]
    return bool(denied) and any(len(word) > _FEW for word in words[denied[-1] + 1 :])


_FEW = 3
_KANA = re.compile("[\u3041-\u309f目]$")


def is_name(token: Token, clause: Clause) -> bool:
    """Return whether a word may be an unknown name: a capital inside a sentence, a digit at its end, or katakana."""
    if token.text in _ARTICLES and token.start > clause.tokens[0].start:
        # What begins with a capital is a part of the name: The Village Watch is no Village Watch.
        return True
    if token.kinds:
        return False
    if token.text[-1].isdigit() and token.text[0].isalpha():
        return True
    if token.text[0].isupper():
        return token.text.casefold() not in _NOT_NAMES and (
            token.start > clause.tokens[0].start or len(clause.tokens) == 1
        )
    return _KATAKANA.fullmatch(token.text) is not None and _LOANS.search(token.text) is None


_NOT_NAMES = frozenset(
    {"i", "ok", "okay", "lol", "eot", "btw", "i'm", "im", "i'll", "english", "magic", "arena", "mtga"}
)
_KATAKANA = re.compile("[\u30a0-\u30ff]{3,}")
_LOANS = re.compile(
    "ターン|フェイズ|ステップ|メイン|コンバット|マナ|ライフ|ダメージ|ブロック|クリーチャー|カード|ゲーム|プレイヤー|トップ"
    "|フルタップ|スタック|チャンプ|インスタント|ソーサリー|スペル|アタック|キーパー|ドロー|エンド|アップキープ|タイミング"
    "|パターン|カウンター|レスポンス|ノーコスト|タップ|コスト|キッカー|フラッシュバック|トリガー|アクション|サイズ|チャット"
    "|パーマネント|ライブラリー|バトル|ファイト|プレッシャー|ミス|ラスト|スタート|ノー|セット|ランド|デッキ|フィールド|サイド|キャラ|オーナー|ショップ"
)
