"""A run goes on with the model that it began with, or not at all."""

import pytest

import wellworn
from servers import Reply, good, serving
from wellworn.errors import BadInput
from wellworn.store import Store

SAMPLING = wellworn.Sampling(samples=2, max_tokens=8)


def audit(run, server, sampling=SAMPLING, **more):
    target = wellworn.Target(model="openai/m", base_url=server.url, retries=0, **more)
    return wellworn.audit(["a?"], model=target, run=run, sampling=sampling)


def test_another_address_may_be_another_model(tmp_path):
    with serving(good) as base:
        audit(tmp_path, base)
    with serving(good) as tuned:
        with pytest.raises(BadInput) as caught:
            audit(tmp_path, tuned)
        assert tuned.asked == []
        audit(tmp_path, tuned, same_model=True)
        assert tuned.asked == []
    assert str(caught.value).startswith(
        f"{tmp_path}: the completions of openai/m came from {base.url}/; "
        f"now it is asked at {tuned.url}/."
    )
    assert "add --same-model" in str(caught.value)


def test_a_server_that_takes_other_fields_than_before(tmp_path):
    refused = ["top_k"]

    def answer(body):
        for field in refused:
            if field in body:
                raise Reply(400, f"unknown field {field}")
        return good(body)

    with serving(answer) as server:
        audit(tmp_path, server)
        refused.clear()
        with pytest.raises(BadInput, match=r"refused the fields \['top_k'\]; now it refuses none"):
            audit(tmp_path, server, wellworn.Sampling(samples=4, max_tokens=8))


def test_another_seed_draws_anew(tmp_path):
    with serving(good) as server:
        audit(tmp_path, server)
        audit(tmp_path, server, wellworn.Sampling(samples=2, max_tokens=8, seed=1))
    with Store(tmp_path) as store:
        first, second = store.generations()
        texts = [
            [c.text for record in store.records(g) for c in record.completions("sample")]
            for g in (first, second)
        ]
    assert (first.seed, second.seed) == (0, 1)
    assert texts[0] != texts[1]
