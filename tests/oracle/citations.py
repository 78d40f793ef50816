"""Rule keys and their numbers, put together from a section and its letters for each edition."""

DEFAULT_EDITION = "2024-06-07"
DAY_AND_NIGHT_SECTION = {
    "2024-06-07": 728,
    "2025-11-14": 730,
    "2026-01-16": 730,
    "2026-02-27": 730,
    "2026-04-17": 731,
    "2026-06-19": 731,
    "2026-08-07": 731,
}
DAY_AND_NIGHT_LETTERS = {
    "no-designation": ".1",
    "becomes": ".1",
    "day-if-neither": ".1",
    "check-day": ".2a",
    "check-night": ".2b",
    "check-neither": ".2c",
}
KEYWORD_SECTION = 702
KEYWORD_LETTERS = {
    "daybound-enters": ".145b",
    "daybound-as-night": ".145b",
    "daybound-at-night": ".145c",
    "daybound-starts-day": ".145d",
    "nightbound-as-day": ".145e",
    "nightbound-at-day": ".145f",
    "nightbound-starts-night": ".145g",
    "daybound-refuses": ".145b",
    "nightbound-refuses": ".145e",
}


def number(rule: str, edition: str) -> str | None:
    """The number of a rule key in an edition; None for what has no number (a judge's ruling)."""
    if rule in DAY_AND_NIGHT_LETTERS:
        return f"{DAY_AND_NIGHT_SECTION[edition]}{DAY_AND_NIGHT_LETTERS[rule]}"
    if rule in KEYWORD_LETTERS:
        return f"{KEYWORD_SECTION}{KEYWORD_LETTERS[rule]}"
    return None
