"""Merges worlds (possible states of the game, see `rules`) from which every later event leads to the same states."""

from .rules import World


def alike(one: World, other: World) -> bool:
    """Return whether two worlds agree in all that the rules read: designation, faces, transformations, assumptions."""
    return all(one[name] == other[name] for name in ("designation", "faces", "turned", "assumed"))


def merged(worlds: list[World]) -> list[World]:
    """Return one world, without `did` and `set_off`, for each group of `alike` ones.

    A change or trigger in its `past` is True only if it is True in the `past` of every world of the group.
    """
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
