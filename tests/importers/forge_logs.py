"""Makes logs in Forge's format with invented players and games: of older and newer versions of Forge, with the oldest
or the newest line first."""

from collections.abc import Iterable
from typing import Self

BEFORE = ("Untap step", "Upkeep step", "Draw step", "Main phase, precombat")
COMBAT = ("Beginning of Combat Step", "Declare Attackers Step")
AFTER = ("First Strike Damage Step", "Combat Damage Step", "End of Combat Step", "Main phase, postcombat")
END = ("End step", "Cleanup step")


class Log:
    """The lines of a game, oldest first. `new`: casts have no card numbers, as in newer versions of Forge."""

    def __init__(self, players: Iterable[str] = ("Ana", "Bo"), *, new: bool = False, hands: bool = True) -> None:
        self.players = tuple(players)
        self.new = new
        self.number = 0
        self.active = ""
        self.lines: list[str] = []
        if hands:
            self.lines += [f"Mulligan: {player} has kept a hand of 7 cards" for player in self.players]

    def say(self, *lines: str) -> Self:
        """Add lines unchanged."""
        self.lines += lines
        return self

    def phase(self, *names: str) -> Self:
        """Add lines: these steps of the active player's turn begin."""
        ending = "'" if self.active.endswith("s") else "'s"
        return self.say(*(f"Phase: {self.active}{ending} {name}" for name in names))

    def turn(self, player: str | None = None, number: int | None = None) -> Self:
        """Begin the next turn, and go to its precombat main phase."""
        self.number = number or self.number + 1
        self.active = player or self.players[(self.number - 1) % len(self.players)]
        self.say(f"Turn: Turn {self.number} ({self.active})")
        return self.phase(*BEFORE)

    def rest(self) -> Self:
        """Add the last two steps of a turn: end step and cleanup step."""
        return self.phase(*END)

    def land(self, name: str, number: int, player: str | None = None) -> Self:
        """Add the line that a player plays a land."""
        return self.say(f"Land: {player or self.active} played {name} ({number})")

    def put(self, verb: str, name: str, number: int, *, by: str | None = None, target: str = "", mana: int = 1) -> Self:
        """Add `mana` lines of payments, and the line that a spell or ability goes on the stack; `verb` is cast,
        activated or triggered."""
        self.say(*["Mana: Forest (900) - {T}: Add {G}."] * mana)
        caption, what = ("Add To Stack", name) if self.new else ("Add to stack", f"{name} ({number})")
        return self.say(f"{caption}: {by or self.active} {verb} {what}" + (f" targeting [{target}]" if target else ""))

    def resolve(self, text: str) -> Self:
        """Add the line that something resolves; `text` says what."""
        return self.say(f"{'Resolve Stack' if self.new else 'Resolve stack'}: {text}")

    def creature(self, name: str, number: int, *, by: str | None = None, size: str = "2 / 2") -> Self:
        """Add the lines for a creature spell that is cast, and resolves."""
        return self.put("cast", name, number, by=by).resolve(f"{name} - Creature {size}")

    def attack(self, *cards: str, on: str | None = None) -> Self:
        """Add the lines for an attack: the active player attacks with these creatures."""
        listed = " and ".join([", ".join(cards[:-1]), cards[-1]] if len(cards) > 1 else cards)
        defender = on or next(player for player in self.players if player != self.active)
        return self.phase(*COMBAT).say(f"Combat: {self.active} assigned {listed} to attack {defender}.")

    def over(self, winner: str | None = None, *, result: bool = True) -> Self:
        """Add the lines at the end of a game, won by `winner` or else by the first player; without `result`, the line
        `Game Result` is missing."""
        won = winner or self.players[0]
        self.say(f"Game Outcome: Turn {(self.number + 1) // 2}")
        for player in self.players:
            how = "won because all opponents have lost" if player == won else "lost because life total reached 0"
            self.say(f"Game Outcome: {player} has {how}")
        self.say("Match Result: " + " ".join(f"{player}: {int(player == won)}" for player in self.players) + " ")
        if result:
            self.say("", f"Game Result: Game 1 ended in 1234 ms. {won} has won!", "")
        return self

    def bytes(self, *, newest_first: bool = False) -> bytes:
        """Return the content of the file."""
        return "\n".join([*(reversed(self.lines) if newest_first else self.lines), ""]).encode()


def day_and_night(log: Log, shown: str = "Tavern Smasher") -> Log:
    """Play a game: a werewolf enters, it becomes day, then night before turn 5, where the werewolf attacks as
    `shown`."""
    log.turn().land("Forest", 1).rest()
    log.turn().land("Island", 51).put("cast", "Opt", 52).resolve("Opt (52) - Scry 1. Draw a card.").rest()
    log.turn().land("Mountain", 2).creature("Tavern Ruffian", 12, size="2 / 5").rest()
    log.turn().land("Island", 53).rest()
    log.turn().attack(f"{shown} (12)")
    log.say(f"Damage: {shown} (12) deals 6 combat damage to {log.players[1]}.").phase(*AFTER).rest()
    return log.turn().over()
