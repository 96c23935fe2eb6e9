"""Nothing is lost and nothing is asked twice, whatever the model does."""

import threading
import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellworn.errors import BackendError, BadInput, Refused, TooLong, Unreachable
from wellworn.probes import PROBES, Need
from wellworn.records import Completion, Generation, chat
from wellworn.sampler import HOPELESS, Outcome, Sampling, sample
from wellworn.sampler.wanted import Place, missing, seed_of
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
    wanted = missing(store, Need("sample", count), GENERATION)
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
    assert store.failures(GENERATION, "sample") == {PROMPTS[1].id: ["too long"] * 6}
    assert texts(store)["question 1"] == []
    assert run(store, Model()) == Outcome(stored=6, failed=0)
    assert store.failures(GENERATION, "sample") == {}


def test_a_refused_prompt_fails_no_other_of_its_batch(store):
    def before(request):
        if request.prompt.shown == "question 1":
            raise Refused("too long")

    assert run(store, Model(before, mixes_prompts=True, batch=16)) == Outcome(24, 6)
    assert set(store.failures(GENERATION, "sample")) == {PROMPTS[1].id}


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


class Quoting(Model):
    """A backend with a context of so many characters, which says what is too long."""

    def __init__(self, context, **options):
        super().__init__(**options)
        self.context = context
        self.prompts = []

    def complete(self, requests):
        long = [i for i, r in enumerate(requests) if len(r.prompt.shown) > self.context]
        if long:
            raise TooLong(f"no room for {len(requests[long[0]].prompt.shown)}", long)
        self.prompts += [request.prompt.shown for request in requests]
        return super().complete(requests)


def answered(store, text):
    """Let every prompt have a greedy answer."""
    generation = GENERATION.greedy
    store.add((p.id, "greedy", Completion(text=text, generation=generation)) for p in PROMPTS)


def critique(store, model):
    wanted = missing(store, Need("critique-ours-5"), GENERATION)
    outcome = sample(store, model, wanted, lambda _: None)
    found = [record.completions("critique-ours-5") for record in store.records(GENERATION)]
    return outcome, [each[0] for each in found if each]


@pytest.mark.parametrize("mixes", [True, False])
def test_a_probe_builds_on_the_greedy_answer(store, mixes):
    answered(store, "It is four.")
    model = Quoting(10_000, mixes_prompts=mixes)
    outcome, found = critique(store, model)
    assert outcome == Outcome(5, 0)
    assert all("It is four." in prompt for prompt in model.prompts)
    assert [completion.cut for completion in found] == [0] * 5
    assert found[0].generation == GENERATION.greedy
    assert critique(store, Model())[0] == Outcome(0, 0)


@pytest.mark.parametrize("mixes", [True, False])
def test_what_is_quoted_is_cut_until_it_fits_and_that_is_kept(store, mixes):
    answered(store, "abcde" * 40)
    room = len(PROBES["critique-ours-5"].ask(PROMPTS[0], "").prompt.shown) + 110
    model = Quoting(room, mixes_prompts=mixes)
    _, found = critique(store, model)
    assert [completion.cut for completion in found] == [98] * 5  # 200, 160, 128, 102
    assert all(len(prompt) <= room for prompt in model.prompts)
    assert all(f"{('abcde' * 40)[:102]}\n---" in prompt for prompt in model.prompts)


@pytest.mark.parametrize("mixes", [True, False])
def test_what_does_not_fit_without_any_quote_is_refused(store, mixes):
    answered(store, "It is four.")
    assert critique(store, Quoting(100, mixes_prompts=mixes)) == (Outcome(0, 5), [])
    [reason] = store.failures(GENERATION, "critique-ours-5")[PROMPTS[0].id]
    assert reason.startswith("no room for ")


def test_without_the_answer_that_it_builds_on_there_is_a_reason(store):
    assert critique(store, Model()) == (Outcome(0, 0), [])
    reasons = store.failures(GENERATION, "critique-ours-5")
    assert reasons == {p.id: ["there is no greedy answer to build on"] for p in PROMPTS}


def test_greedy_answers_are_one_for_all_temperatures_and_seeds(store):
    other = msgspec.structs.replace(GENERATION, temperature=1.5, seed=8)
    answered(store, "It is four.")
    for setting in (GENERATION, other):
        assert list(missing(store, Need("greedy"), setting)) == []
        [record, *_] = store.records(setting)
        assert [c.text for c in record.completions("greedy")] == ["It is four."]


def test_the_control_model_answers_under_its_own_name(store):
    answered(store, "It is four.")
    store.set_control(GENERATION, "base")
    sample(store, Model(), missing(store, Need("read-response-control"), GENERATION), lambda _: 0)
    [record, *_] = store.records(GENERATION)
    [found] = record.completions("read-response-control")
    assert found.generation.model == "base reading for m"
    assert record.completions("read-response") == ()
