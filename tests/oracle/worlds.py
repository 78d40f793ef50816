"""Worlds that no later event could distinguish become one."""

from .rules import World


def alike(one: World, other: World) -> bool:
    """Return whether two worlds agree in everything that the rules read."""
    return all(one[name] == other[name] for name in ("designation", "faces", "turned", "assumed"))


def merged(worlds: list[World]) -> list[World]:
    """The worlds without repetitions; consequences that only some of the merged ones had become uncertain."""
    kept: list[World] = []
    for world in worlds:
        past = world["past"]
        for other in kept:
            if alike(world, other):
                keys = [*other["past"], *(key for key in past if key not in other["past"])]
                sure = {key: past.get(key, False) and other["past"].get(key, False) for key in keys}
                other["past"] = sure
                break
        else:
            kept.append({name: part for name, part in world.items() if name not in ("did", "set_off")})
    return kept
