"""What is done with one record: it is cut to what a detector needs, checked, and measured."""

from collections.abc import Sequence
from math import isfinite
from statistics import fmean
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from wellworn.detectors import Detector, Measured, Options
from wellworn.errors import Unscorable
from wellworn.probes import PROBES, Need
from wellworn.records import Completion, Generation, Record, Score
from wellworn.scoring.counts import counts_of
from wellworn.scoring.noise import noise_of
from wellworn.scoring.verified import Verified
from wellworn.verifiers import Verifier, load_verifier


class Task(NamedTuple):
    """What is done with every record."""

    detector: Detector
    options: Options
    needs: tuple[Need, ...]
    settled: dict[str, Any]
    """The parameters of the measure."""
    parameters: dict[str, Any]
    """What is recorded of them with each score."""
    verifier: Verifier | None

    @classmethod
    def of(cls, detector: Detector, samples: int, options: Options) -> "Task":
        """Return what a detector does at m = `samples`."""
        needs = detector.needs(options, samples)
        sampled = [need for need in needs if PROBES[need.probe].sampled]
        correct = options.correct if sampled else None
        settled = detector.parameters(options, correct or samples)
        said: dict[str, Any] = {"samples": samples} if sampled else {}
        if correct:
            said |= {"correct": correct, "verifier": options.verifier}
        verifier = load_verifier(options.verifier) if options.verifier and sampled else None
        return cls(detector, options, needs, settled, said | settled, verifier)

    def score(self, record: Record) -> Score:
        """Return the score of a record, or the reason why it has none."""
        record = _settled(record)
        counted = [need for need in self.needs if PROBES[need.probe].sampled]
        counted = counted or [need for need in self.needs if not PROBES[need.probe].reads]
        held = [
            completion
            for need in counted
            for completion in record.completions(need.probe)[: need.completions]
        ]
        read = [each for need in self.needs for each in record.completions(need.probe)[:1]]
        generation = _generation(read[0].generation) if read else {}
        base: dict[str, Any] = {
            "prompt_id": record.prompt.id,
            "detector": self.detector.name,
            "counts": counts_of(held, self.options.view),
        }
        parameters = self.parameters | generation
        try:
            measured = self._measured(record)
        except Unscorable as error:
            return Score(**base, parameters=parameters, reason=str(error))
        return Score(
            **base,
            value=measured.value,
            score=self.detector.score(measured.value),
            parts=measured.parts,
            parameters=parameters | measured.found,
        )

    def with_noise(self, score: Score, record: Record) -> Score:
        """Return a score with those of parts of the samples, if it reads nothing but samples."""
        reads = {need.probe for need in self.needs}
        if score.score is None or reads != {"sample"} or self.options.correct:
            return score
        bare = _with(record, _held(_settled(record), self.needs[0]))
        found = noise_of(bare, self.detector, self.options)
        return replace(score, without=found.without, halves=found.halves) if found else score

    def _measured(self, record: Record) -> Measured:
        """Measure what the detector needs and no more: labels and gold answers stay out."""
        probes = {need.probe: _held(record, need) for need in self.needs}
        for completions in probes.values():
            if self.settled.get("view", "full") != "full":
                _check_whole(completions)
            _check_alike([completion.generation for completion in completions])
        prompt = replace(record.prompt, source="", metadata={}, answer=None)
        bare = Record(prompt=prompt, probes=probes)
        if self.verifier is None:
            return _number(self.detector, bare, self.settled)
        verified = Verified.of(probes["sample"], record.prompt, self.verifier)
        if self.options.correct is None:
            measured = _number(self.detector, bare, self.settled)
        else:
            draws = verified.draws(self.options.correct)
            found = [_number(self.detector, _with(bare, draw), self.settled) for draw in draws]
            measured = _mean(found)
        return replace(measured, parts=measured.parts | verified.parts)


def _held(record: Record, need: Need) -> tuple[Completion, ...]:
    completions = record.completions(need.probe)[: need.completions]
    if not completions and not PROBES[need.probe].sampled:
        raise Unscorable(
            f"'{need.probe}' was not answered; sample for this detector, with these options"
        )
    if len(completions) < need.completions:
        raise Unscorable(
            f"{len(completions)} of {need.completions} completions are there ({need.probe}); "
            f"all prompts of a run are scored at the same number"
        )
    if need.signals and any(completion.signals is None for completion in completions):
        raise Unscorable(f"the answers to '{need.probe}' have no log-probabilities")
    return completions


def _with(record: Record, samples: tuple[Completion, ...]) -> Record:
    return replace(record, probes=record.probes | {"sample": samples})


def _number(detector: Detector, record: Record, parameters: dict[str, Any]) -> Measured:
    measured = detector.measure(record, **parameters)
    if not isinstance(measured, Measured):
        measured = Measured(measured)
    if not isfinite(measured.value):
        raise Unscorable(f"{detector.name} gives {measured.value}, which is no number to rank by")
    return measured


def _mean(measured: Sequence[Measured]) -> Measured:
    """Return the mean over draws, and of each part."""
    parts = {name: fmean(each.parts[name] for each in measured) for name in measured[0].parts}
    return replace(measured[0], value=fmean(each.value for each in measured), parts=parts)


def _settled(record: Record) -> Record:
    probes = {probe: settled(completions) for probe, completions in record.probes.items()}
    return replace(record, probes=probes)


def _check_whole(completions: Sequence[Completion]) -> None:
    """Raise Unscorable if a completion was cut off where nothing tells which part that is in."""
    for completion in completions:
        if completion.reasoning is None and completion.finish_reason == "length":
            raise Unscorable(
                f"completion {completion.index} was cut off, and nothing tells whether while "
                f"reasoning or answering; only `--view full` can read it"
            )


def _check_alike(generations: Sequence[Generation]) -> None:
    """Raise Unscorable if completions were generated with different parameters."""
    first = _generation(generations[0])
    for other in generations[1:]:
        if other is not generations[0]:
            for name, value in _generation(other).items():
                if value != first[name]:
                    raise Unscorable(
                        f"its completions do not compare: '{name}' is {first[name]!r} for some "
                        f"and {value!r} for others"
                    )


def _generation(generation: Generation) -> dict[str, Any]:
    """Return the parameters that must be equal for scores to compare: not the seed."""
    fields: dict[str, Any] = msgspec.to_builtins(generation)
    del fields["top_logprobs"], fields["seed"]
    return fields


def settled(completions: Sequence[Completion]) -> tuple[Completion, ...]:
    """Return completions of which those cut off while thinking have their text as reasoning.

    Where a chat template opens the reasoning, a completion without the closing tag is all
    reasoning; that others of the same prompt have one tells.
    """
    if all(completion.reasoning is None for completion in completions):
        return tuple(completions)
    return tuple(
        replace(completion, reasoning=completion.text, text="")
        if completion.reasoning is None and completion.finish_reason == "length"
        else completion
        for completion in completions
    )
