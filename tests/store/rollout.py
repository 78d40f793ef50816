"""A rollout of pods, each with the same state chart: a mechanic for tests."""

from collections.abc import Sequence
from enum import Enum
from typing import Any

import msgspec

from daynight.framework import (
    Arc,
    Chart,
    Derived,
    Facts,
    Happening,
    ImpossibleError,
    Language,
    Mechanic,
    Name,
    Number,
    Part,
    Said,
)


class Stage(Enum):
    WAITING = "waiting"
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


class Planned(Happening, frozen=True, tag="planned"):
    rollout: Name
    pods: tuple[Name, ...]


class Act(Happening, frozen=True):
    pod: Name


class Started(Act, frozen=True, tag="started"):
    pass


class Ready(Act, frozen=True, tag="ready"):
    pass


class Failed(Act, frozen=True, tag="failed"):
    pass


class StageClaimed(Act, frozen=True, tag="stage-claimed"):
    stage: Stage
    by: Name


class Corrected(Happening, frozen=True, tag="corrected"):
    to: Number


def known_pod(known: bool) -> bool:
    """The pod is named in the plan."""
    return known


CHART = Chart(
    Stage,
    Stage.WAITING,
    [
        Arc("started", Stage.WAITING, Stage.STARTING, known_pod),
        Arc("started", Stage.FAILED, Stage.STARTING, known_pod),
        Arc("ready", Stage.STARTING, Stage.READY, known_pod),
        Arc("failed", Stage.STARTING, Stage.FAILED, known_pod),
        Arc("failed", Stage.READY, Stage.FAILED, known_pod),
    ],
)


class Rollout(Facts):
    pods: dict[str, Stage] = msgspec.field(default_factory=dict)


def follow(rollout: Rollout, event: Any, number: int) -> Sequence[Any]:
    if isinstance(event, Planned) is not (number == 1):
        raise ImpossibleError("planned is line 1 of a record, and no other line", path="$.type")
    if isinstance(event, Planned):
        rollout.pods = dict.fromkeys(event.pods, CHART.initial)
    elif isinstance(event, Started | Ready | Failed):
        stage = rollout.pods.get(event.pod, CHART.initial)
        rollout.pods[event.pod] = CHART.advance(stage, event.type, event.pod in rollout.pods, path="$.pod")
    return ()


ROLLOUT: Mechanic[Any, Any, Any] = Mechanic(
    name="rollout",
    language=Language(Planned | Started | Ready | Failed | StageClaimed | Corrected),
    start=Rollout,
    step=follow,
    parts={"stage": Part(lambda rollout, pod: Derived((rollout.pods[pod],)), lambda rollout: rollout.pods)},
    says=lambda event: [Said("stage", event.pod, event.stage, event.by)] if isinstance(event, StageClaimed) else (),
    restores=lambda event: event.to if isinstance(event, Corrected) else None,
    names={Corrected: ("to",)},
    seals={Ready: "after"},
    freeze=msgspec.json.encode,
    thaw=msgspec.json.Decoder(Rollout).decode,
    title=lambda event: event.rollout if isinstance(event, Planned) else "",
    chart=CHART,
)
