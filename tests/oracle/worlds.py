"""Worlds that the rules could not tell apart from now on are one."""

from .rules import World


def alike(one: World, other: World) -> bool:
    """Whether nothing that the rules read differs."""
    return all(one[name] == other[name] for name in ("designation", "faces", "turned", "assumed"))


def merged(worlds: list[World]) -> list[World]:
    """The worlds, each kept once; what happened in only some of those that merge happened perhaps."""
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
