"""What the completions of a log are like, in sentences: how many, cut, looping, all the same.

Three things look like a model that has collapsed and are none: greedy decoding, answers whose
reasoning the log leaves out, and texts that were cut or ended in a loop. They are counted while
a log is read, without holding it.
"""

from array import array
from collections import Counter
from collections.abc import Iterator
from statistics import median

from wellworn.readers.base import Item, Layout
from wellworn.records import Completion, Generation
from wellworn.tables.values import counted

_FEW = 8
"""Fewer samples a prompt say little of how near they come."""
_TAIL = 600
"""So many last characters are looked at for a loop."""
_PIECE = 24
"""A loop is found by where its last characters stand before."""
_TIMES = 4
_SHORT = 60
"""Answers of fewer characters, to tasks of as many and four times the answer's, show no
reasoning."""
_LONG = 20
"""A text of more characters is hardly the only one by chance."""
_MANY = 8
"""Nor is a short one that comes so many times again."""

GREEDY = (
    "All completions of every prompt are the same, so they are taken as greedy (temperature 0), "
    "which no detector that reads samples can use. One seed for all requests, or a cache, does "
    "that too. If the model was sampled anew each time, say at which --temperature."
)


class Quality:
    """Counts of what was seen so far."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, tuple[str, str | None]] = {}
        self._differ: set[str] = set()
        self._lengths, self._asked = array("l"), array("l")
        self._looped = self._cut = self._known = self._reasoned = 0

    @property
    def prompts(self) -> int:
        """How many prompts got completions."""
        return sum(count > 0 for count in self._counts.values())

    def see(self, item: Item) -> None:
        """Count what an item brings."""
        prompt_id = item.prompt.id
        self._counts[prompt_id] += len(item.completions)
        for completion in item.completions:
            texts = (completion.text, completion.reasoning)
            if self._first.setdefault(prompt_id, texts) != texts:
                self._differ.add(prompt_id)
                self._first[prompt_id] = ("", None)
            self._count(completion)
            self._asked.append(len(item.prompt.question))

    def _count(self, completion: Completion) -> None:
        text = completion.text or completion.reasoning or ""
        self._lengths.append(len(completion.text))
        self._looped += loops(text)
        self._cut += completion.finish_reason == "length"
        self._known += completion.finish_reason is not None
        self._reasoned += completion.reasoning is not None or completion.reasoning_hidden

    @property
    def samples(self) -> tuple[int, int]:
        """The least and the most completions of a prompt that has any."""
        counts = [count for count in self._counts.values() if count]
        return (min(counts), max(counts)) if counts else (0, 0)

    @property
    def identical(self) -> bool:
        """Whether all completions of every prompt are the same, by more than chance.

        Two prompts at least have several, and these are long, or many.
        """
        several = [prompt for prompt, count in self._counts.items() if count > 1]
        long = any(len(self._first[prompt][0]) > _LONG for prompt in several)
        again = sum(self._counts[prompt] - 1 for prompt in several)
        return len(several) > 1 and not self._differ and (long or again >= _MANY)

    def facts(self) -> Iterator[str]:
        """Yield what a user should know who takes the completions."""
        total = len(self._lengths)
        if not total:
            return
        yield self._samples()
        if self._known < total:
            yield f"why it ended: not stated for {counted(total - self._known, 'completion')}"
        if self._cut:
            yield f"cut at the most tokens: {self._cut:,} of {self._known:,} completions"

    def notes(self) -> Iterator[str]:
        """Yield what a report should say of the completions."""
        total = len(self._lengths)
        if self._looped:
            yield f"{self._looped:,} of {counted(total, 'completion')} end in a loop."
        if total and not self._reasoned and self._are_short():
            yield (
                f"The completions are short against their prompts (median "
                f"{median(self._lengths):,.0f} characters) and show no reasoning. If the model "
                f"reasoned, the log left it out, and final answers alone look like collapse."
            )

    def _samples(self) -> str:
        least, most = self.samples
        span = f"{least}" if least == most else f"{least} to {most}"
        said = f"samples a prompt: {span}"
        if most < 2:
            return (
                f"{said}; detectors that compare samples need two or more: have the tool log "
                f"several (docs/formats.md says how)"
            )
        if most < _FEW:
            return f"{said}; that is few: the paper has 32, and k adapts to what is there"
        return said

    def _are_short(self) -> bool:
        short = median(self._lengths)
        return short < _SHORT and median(self._asked) >= max(_SHORT, 4 * short)


def looks_greedy(quality: Quality, generation: Generation, layout: Layout | None) -> bool:
    """Tell whether data are all the same, though neither the log nor the user says why."""
    told = layout is not None and layout.temperature is not None
    return quality.identical and generation.temperature != 0 and not told


def loops(text: str) -> bool:
    """Tell whether a text ends in something that it says four times or more on end.

    >>> loops("So " + "x = 1, and y = 2. " * 20), loops("one, two, three, four, and five, and six")
    (True, False)
    """
    tail = text[-_TAIL:]
    piece = tail[-_PIECE:]
    before = tail.rfind(piece, 0, -1)
    if before < 0 or len(tail) < 2 * _PIECE:
        return False
    period = len(tail) - _PIECE - before
    times = max(_TIMES, -(-2 * _PIECE // period))
    return len(tail) >= period * times and tail.endswith(tail[-period:] * times)
