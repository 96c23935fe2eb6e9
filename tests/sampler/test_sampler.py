"""Nothing is lost and nothing is asked twice, whatever the model does."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellworn.errors import BackendError, BadInput, Refused, Unreachable
from wellworn.records import Completion, Generation, chat
from wellworn.sampler import HOPELESS, Outcome, Place, Sampling, missing, sample, seed_of
from wellworn.store import Store

PROMPTS = [chat(f"question {number}") for number in range(5)]
GENERATION = Generation(model="m", temperature=0.7)


class Model:
    """A backend that answers with the seed, after `before(request)`."""

    identity = "m"

    def __init__(self, before=lambda _: None, *, concurrency=3, batch=4, mixes_prompts=False):
        self.before = before
        self.concurrency = concurrency
        self.batch = batch
        self.mixes_prompts = mixes_prompts
        self.notes = []
        self.calls = []
        self.lock = threading.Lock()

    def complete(self, requests):
        with self.lock:
            self.calls.append([(r.prompt.shown, r.index) for r in requests])
        for request in requests:
            self.before(request)
        return [
            Completion(text=f"{r.seed}", seed=r.seed, index=r.index, generation=r.generation)
            for r in requests
        ]

    @property
    def asked(self):
        return sorted(place for call in self.calls for place in call)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path, create=True) as opened:
        opened.put_set("suspects", PROMPTS)
        opened.use(GENERATION)
        yield opened


def run(store, model, count=6, on_progress=lambda _: None):
    wanted = missing(store, {"sample": count}, GENERATION)
    return sample(store, model, wanted, on_progress)


def texts(store):
    return {
        record.prompt.shown: [c.text for c in record.completions("sample")]
        for record in store.records(GENERATION)
    }


@pytest.mark.parametrize("mixes", [True, False])
def test_everything_is_asked_once_and_stored(store, mixes):
    model = Model(mixes_prompts=mixes)
    seen = []
    assert run(store, model, on_progress=seen.append) == Outcome(stored=30, failed=0)
    assert model.asked == [(p.shown, i) for p in PROMPTS for i in range(6)]
    assert sum(seen) == 30
    sizes = sorted(len(call) for call in model.calls)
    assert sizes == ([2, *[4] * 7] if mixes else [2] * 5 + [4] * 5)
    for prompt in PROMPTS:
        seeds = [seed_of(0, Place(prompt.id, "sample", i)) for i in range(6)]
        assert texts(store)[prompt.shown] == [str(seed) for seed in seeds]


def test_only_what_is_missing_is_asked(store):
    run(store, Model(), count=2)
    again = Model()
    assert run(store, again, count=6) == Outcome(stored=20, failed=0)
    assert again.asked == [(p.shown, i) for p in PROMPTS for i in range(2, 6)]
    assert run(store, Model(), count=6) == Outcome(stored=0, failed=0)


def test_resuming_changes_no_text(store, tmp_path):
    run(store, Model(concurrency=1, batch=1), count=3)
    run(store, Model(batch=5), count=6)
    with Store(tmp_path / "other", create=True) as other:
        other.put_set("suspects", PROMPTS[::-1])
        other.use(GENERATION)
        run(other, Model(mixes_prompts=True), count=6)
        assert texts(other) == texts(store)


@given(st.integers(0, 9), st.text(), st.integers(0, 99))
def test_a_seed_is_a_function_of_its_place(seed, prompt, number):
    place = Place(prompt, "sample", number)
    assert seed_of(seed, place) == seed_of(seed, place)
    assert 0 <= seed_of(seed, place) < 2**31
    assert len({seed_of(seed, place._replace(number=i)) for i in range(50)}) == 50


def test_a_known_seed_stays_what_it_is():
    assert seed_of(0, Place("efbae9f150869636", "sample", 3)) == 1533519826


def test_another_seed_draws_others():
    assert seed_of(1, Place("p", "sample", 0)) != seed_of(0, Place("p", "sample", 0))


def test_a_failed_item_is_data(store):
    def before(request):
        if request.prompt.shown == "question 1":
            raise Refused("too long")

    assert run(store, Model(before)) == Outcome(stored=24, failed=6)
    assert store.failures(GENERATION) == {PROMPTS[1].id: ["too long"] * 6}
    assert texts(store)["question 1"] == []
    assert run(store, Model()) == Outcome(stored=6, failed=0)
    assert store.failures(GENERATION) == {}


def test_a_refused_prompt_fails_no_other_of_its_batch(store):
    def before(request):
        if request.prompt.shown == "question 1":
            raise Refused("too long")

    assert run(store, Model(before, mixes_prompts=True, batch=16)) == Outcome(24, 6)
    assert set(store.failures(GENERATION)) == {PROMPTS[1].id}


def test_a_server_that_goes_away_ends_the_run(store):
    def before(request):
        if request.prompt.shown != "question 0":
            raise Unreachable("no answer")

    with pytest.raises(Unreachable) as caught:
        run(store, Model(before, concurrency=2), count=40)
    assert str(caught.value) == (
        "no answer\nSo went the last 2 requests; the run stopped. "
        "What had come is stored: the same command goes on from there."
    )
    assert len(texts(store)["question 0"]) == 40


def test_a_server_that_stumbles_does_not_end_it(store):
    def before(request):
        if request.index == 0:
            raise Unreachable("no answer")

    model = Model(before, concurrency=1, batch=1)
    with pytest.raises(Unreachable):
        run(store, model)
    model = Model(before, concurrency=2, batch=1)
    assert run(store, model) == Outcome(stored=25, failed=5)


def test_refusals_alone_end_a_run(store):
    def before(_):
        raise BackendError("no such model")

    with pytest.raises(BackendError, match=f"no such model\nSo went the last {HOPELESS} requests"):
        run(store, Model(before), count=40)


def test_a_bug_in_a_backend_is_not_hidden(store):
    def before(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(store, Model(before))


def test_an_interrupt_keeps_what_had_come(store):
    arrived = []

    def on_progress(count):
        arrived.append(count)
        time.sleep(0.05)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(store, Model(concurrency=1, batch=1), on_progress=on_progress)
    stored = sum(len(answers) for answers in texts(store).values())
    assert stored == 1
    again = Model()
    assert run(store, again).stored == 30 - stored


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 1}, "--samples is 1; it must be 2 or more."),
        ({"temperature": 0}, "--temperature is 0; it must be above 0."),
        ({"top_p": 1.5}, "--top-p is 1.5; it must be above 0 and at most 1."),
        ({"top_p": 0}, "--top-p is 0; it must be above 0 and at most 1."),
        ({"max_tokens": 0}, "--max-tokens is 0; it must be 1 or more."),
        ({"extra_body": "{"}, "--extra-body is no JSON (Expecting property name"),
        ({"extra_body": '{"n": 4}'}, "--extra-body sets 'n', which wellworn sets itself"),
        ({"extra_body": '{"temperature": 0}'}, "--extra-body sets 'temperature', which"),
        ({"extra_body": "[1]"}, "--extra-body is '[1]'; a JSON object is needed."),
    ],
)
def test_options_out_of_range(options, message):
    with pytest.raises(BadInput) as caught:
        Sampling(**options)
    assert str(caught.value).startswith(message)


def test_all_options_are_part_of_the_setting():
    extra = '{"min_p": 0.1}'
    sampling = Sampling(temperature=1, top_p=0.9, max_tokens=7, seed=5, extra_body=extra)
    assert sampling.generation("m") == Generation(
        model="m", temperature=1, top_p=0.9, max_tokens=7, seed=5, extra={"min_p": 0.1}
    )
