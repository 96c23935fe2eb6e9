"""The wording of the probes, version 1: frozen, since a word more makes another detector.

A change makes a new version under new names; what is here stays as it is. The published
critique is a constant of the protocol of arXiv 2510.09259 (its public code has it letter by
letter). Its five rewordings are not public: those here are ours, as are the unusual path,
the small talk around a perturbed prompt, and the texts that stand before one in ReCaLL.
"""

VERSION = 1

CRITIQUES: dict[str, str] = {
    "published": (
        "\nA possible answer is provided below (it may or may not be correct). Please provide a "
        "response that follows a different reasoning path or provides an alternative solution:"
        "\n---\n{answer}\n---\nPlease now provide your new, different response:"
    ),
    "ours-1": (
        "\nSomeone answered this as follows; whether it is right is open:\n---\n{answer}\n---\n"
        "Solve it once more, on a way that has little in common with the one above."
    ),
    "ours-2": (
        "\nHere is one attempt at an answer, right or wrong:\n---\n{answer}\n---\n"
        "Now write another answer. Neither its steps nor their order may be those of the attempt."
    ),
    "ours-3": (
        "\nBelow stands an earlier solution. Do not trust it and do not follow it:\n---\n{answer}"
        "\n---\nStart afresh and reason in a different manner:"
    ),
    "ours-4": (
        "\nRead this draft first:\n---\n{answer}\n---\n"
        "Give a second solution that someone with quite another approach would write."
    ),
    "ours-5": (
        "\nThis solution has been proposed already:\n---\n{answer}\n---\n"
        "Propose an independent one, by a method that it does not use:"
    ),
}
"""What follows the question in the second pass of Self-Critique; {answer} is the first answer."""

UNUSUAL = (
    "\n\nSolve this by a technique that you would normally avoid, or by a line of thought that is "
    "unusual on purpose."
)
"""What follows the question in the second pass without an anchor."""

BEFORE = (
    "The last tram had just left, and the square lay quiet in the rain. Under the arcade a man was "
    "stacking chairs."
)
AFTER = "Meanwhile a cat had found the warm spot on the bakery's cellar window."
"""What stands around a perturbed prompt, and has nothing to do with any."""

SHOTS: tuple[str, ...] = (
    "How many corks does Wanda keep if she fills three trays of nine corks and gives five away? "
    "Three trays hold 27 corks; 27 - 5 = 22. She keeps 22.",
    "The clerk at counter four says that counter five is closed. Counter five says nothing. If "
    "only open counters speak, which one is closed? Counter five.",
    "A ferry leaves every 35 minutes from 6:10 on. When does the fourth one leave? Three intervals "
    "after the first are 105 minutes, so it leaves at 7:55.",
    "Find a number whose double is nine less than its triple. If 2n = 3n - 9, then n = 9.",
    "Sort the words plum, ash, fig and birch by their number of letters, then by the alphabet: "
    "ash, fig, plum, birch.",
    "A rope of 14 metres is cut so that one piece is 4 metres longer than the other. The pieces "
    "have 9 and 5 metres.",
    "Two lamps blink every 6 and every 10 seconds. They blink together every 30 seconds, the least "
    "common multiple.",
)
"""Texts that no model can have been trained on before they were written here; for ReCaLL."""
