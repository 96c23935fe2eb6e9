"""The numbers of the published code, from 28 records whose scores it computed itself."""

import gzip
import json

import pytest
from sklearn.metrics import roc_auc_score

from signalled import answer, asked, top
from wellworn.detectors import Options, load
from wellworn.errors import Unscorable
from wellworn.scoring import scores_of

PUBLISHED = {
    "perplexity": "perplexity-published",
    "min_k": "min-k-published",
    "min_k_plus_plus": "min-k++-published",
    "recall": "recall-published",
    "cdd": "cdd-published",
    "entropy_temp": "entropy-temp-published",
    "entropy_noise": "entropy-noise-published",
    "self_critique": "self-critique-published",
    "self_critique_unanchored": "self-critique-unanchored-published",
}
PROBES = {
    "greedy": "greedy",
    "perturbed_greedy": "perturbed",
    "critique_greedy": "critique-published",
    "unanchored_greedy": "unanchored",
    "samples": "sample",
}


def completion(given, index=0, keep=True):
    signals = top(given["top_logprobs"], given["token_logprobs"], 5, keep)
    return answer(signals, token_ids=given["token_ids"], index=index)


def record_of(case):
    answers = {}
    for name, probe in PROBES.items():
        given = case["record"][name]
        several = isinstance(given, list)
        answers[probe] = [
            completion(each, index, keep=not several)
            for index, each in enumerate(given if several else [given])
        ]
    return asked(**answers)


@pytest.fixture(scope="module")
def cases(shared):
    with gzip.open(shared / "golden" / "rlmia_detector_scores.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def value_of(name, record, options=None):
    detector = load(name)
    [score] = scores_of([record], detector, len(record.probes["sample"]), options or Options())
    assert (score.value is None) == bool(score.reason)
    return score.value


@pytest.mark.parametrize(("golden", "name"), PUBLISHED.items(), ids=PUBLISHED)
def test_every_number_of_the_published_code(cases, golden, name):
    assert len(cases) == 28
    for case in cases:
        expected = case["published_score"][golden]
        found = value_of(name, record_of(case))
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-9, rel=0))


@pytest.mark.parametrize(("golden", "name"), PUBLISHED.items(), ids=PUBLISHED)
def test_what_has_no_number_there_has_a_reason_here(cases, golden, name):
    lacking = [case for case in cases if case["published_score"][golden] is None]
    assert lacking or golden == "recall"
    for case in lacking:
        detector = load(name)
        parameters = detector.parameters(Options(), 1)
        with pytest.raises(Unscorable, match=r"empty|less than one|has no|there is no"):
            detector.measure(record_of(case), **parameters)


@pytest.mark.parametrize("golden", ["self_critique", "self_critique_unanchored", "entropy_noise"])
def test_ours_with_raw_entropies_are_the_published_likeness(cases, golden):
    name = golden.replace("_", "-")
    for case in cases:
        expected = case["published_score"][golden]
        found = value_of(name, record_of(case), Options(entropy="raw"))
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-9, rel=0))


def auc(name, records, labels, options=None):
    scores = [s.score for s in scores_of(records, load(name), 1, options or Options())]
    return roc_auc_score(labels, scores)


@pytest.mark.parametrize("name", ["min-k", "entropy-noise"])
def test_a_turned_sign_gives_one_minus_the_auc(cases, name):
    whole = [case for case in cases if known(case["record"]["greedy"]) and len(greedy(case)) > 4]
    records = [record_of(case) for case in whole]
    labels = [case["case"] % 2 for case in whole]
    options = Options(entropy="raw")
    ours, published = (auc(each, records, labels, options) for each in (name, f"{name}-published"))
    assert len(records) > 10
    assert ours != 0.5
    assert published == pytest.approx(1 - ours, abs=1e-12)


def greedy(case):
    return case["record"]["greedy"]["token_ids"]


def known(given):
    return None not in given["token_logprobs"]
