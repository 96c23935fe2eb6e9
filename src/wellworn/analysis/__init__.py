"""How worn the paths are: diversity, frequent n-grams and structural modes of completions.

This is section 3 of the Min-kNN paper (arXiv 2602.11792) as a tool. A detector asks whether a
prompt was trained on; this asks what became of the reasoning: does it still spread out, in
which words does it repeat itself, and how many different ways are left? All of it is a pure
function of texts. Nothing here knows which prompts were trained on; groups join in
`trajectories`, where prompts are averaged.

Where the paper leaves a choice open, ours is stated in the module that makes it, and is an
option in `design`.
"""
