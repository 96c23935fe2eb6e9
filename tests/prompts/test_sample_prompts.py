"""Random subsets of prompts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellworn.errors import BadInput
from wellworn.prompts import sample_prompts
from wellworn.records import chat

PROMPTS = tuple(chat(f"What is {n} + {n}?") for n in range(40))


@given(limit=st.integers(1, 50), seed=st.integers())
def test_a_subset_is_in_order_and_depends_on_the_seed_alone(limit, seed):
    drawn = sample_prompts(PROMPTS, limit, seed)
    assert len(drawn) == min(limit, 40)
    assert list(drawn) == [prompt for prompt in PROMPTS if prompt in drawn]
    assert {p.id for p in sample_prompts(PROMPTS[::-1], limit, seed)} == {p.id for p in drawn}


def test_subsets_differ_by_seed_and_favour_no_position():
    subsets = [sample_prompts(PROMPTS, 10, seed) for seed in range(40)]
    assert len({tuple(p.id for p in subset) for subset in subsets}) == 40
    assert set().union(*({p.id for p in subset} for subset in subsets)) == {p.id for p in PROMPTS}


def test_a_limit_below_one():
    with pytest.raises(BadInput, match=r"^--limit is 0; it must be 1 or more\.$"):
        sample_prompts(PROMPTS, 0, 1)
