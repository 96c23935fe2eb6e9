"""A run goes on with the model that it began with, or not at all."""

import pytest

import wellworn
from servers import Reply, good, serving
from wellworn.audits import Stored, audit_runs
from wellworn.detectors import Options
from wellworn.errors import BadInput
from wellworn.judging import Scoring
from wellworn.store import Store

SAMPLING = wellworn.Sampling(samples=2, max_tokens=8)


def _local(server):
    return f"http://localhost:{server.server_port}/v1/"


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
        f"{tmp_path}: the completions of openai/m came from {_local(base)}; "
        f"now it is asked at {_local(tuned)}."
    )
    assert "add --same-model" in str(caught.value)


def test_a_refused_audit_changes_nothing(tmp_path):
    with serving(good) as base:
        audit(tmp_path, base)
    with serving(good) as tuned, pytest.raises(BadInput):
        wellworn.audit(
            ["other?"],
            model=wellworn.Target(model="openai/m", base_url=tuned.url),
            run=tmp_path,
            sampling=SAMPLING,
        )
    with Store(tmp_path) as store:
        assert store.set_ids("suspects") == [wellworn.chat("a?").id]


def test_a_dead_address_is_not_remembered(tmp_path):
    with serving(good) as dead:
        pass
    with pytest.raises(wellworn.BackendError):
        audit(tmp_path, dead)
    with serving(good) as alive:
        audit(tmp_path, alive)


def test_runs_from_two_addresses_bear_no_claim(tmp_path):
    for name in ("one", "two"):
        with serving(good) as server:
            wellworn.audit(
                [f"{name} {i}?" for i in range(6)],
                model=wellworn.Target(model="openai/m", base_url=server.url),
                run=tmp_path / name,
                sampling=SAMPLING,
            )
    verdict = audit_runs(Stored(tmp_path / "one", tmp_path / "two"), Scoring(), Options()).verdict
    assert verdict.level == "insufficient data"
    assert "under one name: that it is one model, nothing shows." in verdict.reasons[0]


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
