"""The number of each rule key in each edition, put together from a section and letters."""

DEFAULT_EDITION = "2024-06-07"
DAY_AND_NIGHT_SECTION = {
    "2021-09-24": 724, "2021-11-19": 724, "2022-02-18": 724, "2022-04-29": 724, "2022-06-10": 725, "2022-07-08": 725,
    "2022-09-08": 725, "2022-10-07": 726, "2022-11-18": 727, "2023-02-03": 727, "2023-04-14": 726, "2023-06-16": 726,
    "2023-09-01": 726, "2023-10-13": 726, "2023-11-17": 726, "2024-02-02": 727, "2024-03-08": 728, "2024-04-12": 728,
    "2024-06-07": 728, "2024-07-30": 728, "2024-09-20": 728, "2024-11-08": 728, "2025-02-07": 728, "2025-04-04": 729,
    "2025-06-06": 729, "2025-07-25": 730, "2025-09-19": 730, "2025-11-14": 730, "2026-01-16": 730, "2026-02-27": 730,
    "2026-04-17": 731, "2026-06-19": 731, "2026-08-07": 731, "2026-09-25": 731,
}  # fmt: skip
DAY_AND_NIGHT_LETTERS = {
    "no-designation": ".1", "becomes": ".1", "day-if-neither": ".1", "check-day": ".2a", "check-night": ".2b",
    "check-neither": ".2c",
}  # fmt: skip
CHECK_MOVED = {"2021-09-24": {"check-day": ".3a", "check-night": ".3b", "check-neither": ".3c"}}
KEYWORD_SECTION = 702
KEYWORD_LETTERS = {
    "daybound-enters": ".145b", "daybound-as-night": ".145b", "daybound-at-night": ".145c",
    "daybound-starts-day": ".145d", "nightbound-as-day": ".145e", "nightbound-at-day": ".145f",
    "nightbound-starts-night": ".145g", "daybound-refuses": ".145b", "nightbound-refuses": ".145e",
}  # fmt: skip


def number(rule: str, edition: str) -> str | None:
    """The number of a rule key in an edition; None if it has no number (a judge's ruling)."""
    if rule in DAY_AND_NIGHT_LETTERS:
        letters = DAY_AND_NIGHT_LETTERS | CHECK_MOVED.get(edition, {})
        return f"{DAY_AND_NIGHT_SECTION[edition]}{letters[rule]}"
    if rule in KEYWORD_LETTERS:
        return f"{KEYWORD_SECTION}{KEYWORD_LETTERS[rule]}"
    return None
