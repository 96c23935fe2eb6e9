"""Models and tokenizers of the lab: ordinary checkpoints that every backend loads."""

import pytest

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

import tiny_lab  # noqa: E402
from wellworn.backends import Request, Target, open_backend  # noqa: E402
from wellworn.errors import BadInput  # noqa: E402
from wellworn.lab import models  # noqa: E402
from wellworn.lab.decoding import generate  # noqa: E402
from wellworn.lab.models import Size, load, new_model, new_tokenizer, prompt_ids, save  # noqa: E402
from wellworn.lab.tasks import load_task  # noqa: E402
from wellworn.records import Generation, chat  # noqa: E402


@pytest.fixture(scope="module")
def texts():
    items = load_task("countdown").generate(0, 300)
    return [f"{item.prompt}\n{item.answer}" for item in items]


@pytest.mark.parametrize("text", ["7 3 9 4 -> 23", "9-7=2;2*4=8\nok", "Käse 🙂\t\x00 <s> </s>", ""])
def test_every_text_comes_back(texts, text):
    tokenizer = new_tokenizer(texts, 300)
    assert tokenizer.decode(tokenizer.encode(text, add_special_tokens=False)) == text


def test_equal_texts_make_equal_tokenizers_no_larger_than_asked(texts):
    first, again = (new_tokenizer(texts, 280) for _ in range(2))
    assert first.get_vocab() == again.get_vocab()
    assert len(first) == 280
    assert len(new_tokenizer(["a"], 300)) == 259


def test_a_number_of_the_task_is_one_token(texts):
    tokenizer = new_tokenizer(texts, 400)
    assert tokenizer.tokenize("9+10=19;25+5=30") == [
        *"9+",
        "10",
        "=",
        "19",
        ";",
        "25",
        *"+5=",
        "30",
    ]


def test_a_prompt_is_what_the_chat_template_makes_of_it(texts):
    tokenizer = new_tokenizer(texts, 300)
    turns = [{"role": "user", "content": "7 3 -> 21"}]
    by_template = tokenizer.apply_chat_template(turns, add_generation_prompt=True)["input_ids"]
    assert by_template == prompt_ids(tokenizer, "7 3 -> 21")
    assert tokenizer.decode(by_template) == "<s>7 3 -> 21\n"


def test_weights_depend_on_the_seed(untaught):
    _, tokenizer = untaught
    first, again, other = (new_model(tiny_lab.SIZE, tokenizer, seed) for seed in (0, 0, 1))
    assert torch.equal(first.lm_head.weight, again.lm_head.weight)
    assert not torch.equal(first.lm_head.weight, other.lm_head.weight)


def test_a_checkpoint_comes_back_as_it_was(untaught, tmp_path):
    model, tokenizer = untaught
    save(tmp_path / "model", model, tokenizer)
    loaded, words = load(tmp_path / "model")
    assert all(torch.equal(v, loaded.state_dict()[k]) for k, v in model.state_dict().items())
    assert words.get_vocab() == tokenizer.get_vocab()
    assert words.chat_template == models.TEMPLATE
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_cut_off_checkpoint_is_written_anew(untaught, tmp_path):
    (tmp_path / "model.part").mkdir()
    (tmp_path / "model.part" / "config.json").write_text("{")
    save(tmp_path / "model", *untaught)
    load(tmp_path / "model")


def test_the_transformers_backend_says_what_our_decoder_says(taught, tmp_path):
    model, tokenizer = taught
    save(tmp_path / "model", model, tokenizer)
    backend = open_backend(Target(model=f"hf/{tmp_path / 'model'}", device="cpu", choices=9))
    setting = Generation(model=backend.identity, temperature=0.0, max_tokens=8)
    prompts = [*tiny_lab.PROMPTS, "Something else?"]
    asked = [Request(prompt=chat(p), generation=setting, index=0, seed=0) for p in prompts]
    ids = [prompt_ids(tokenizer, prompt) for prompt in prompts]
    ours = generate(model, ids, 1, 8, torch.Generator(), temperature=0)
    rows = zip(ours.tokens.tolist(), ours.lengths.tolist(), ours.ended.tolist(), strict=True)
    wanted = [tuple(row[: length - ended]) for row, length, ended in rows]
    assert [answer.token_ids for answer in backend.complete(asked)] == wanted
    assert tokenizer.decode(wanted[0]) in ("ok", "no")


def test_a_folder_without_a_checkpoint_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"there is no checkpoint \(no config\.json\)\.$"):
        load(tmp_path)


def test_a_model_of_another_kind_is_refused(untaught, tmp_path):
    from transformers import GPT2Config, GPT2LMHeadModel

    _, tokenizer = untaught
    other = GPT2LMHeadModel(GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=len(tokenizer)))
    save(tmp_path / "model", other, tokenizer)
    with pytest.raises(BadInput, match="the lab trains Llamas; this is a gpt2"):
        load(tmp_path / "model")


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ({"hidden": 30, "heads": 4}, "hidden is 30, which 4 heads do not share evenly"),
        ({"vocabulary": 258}, "vocabulary is 258; bytes alone need 259"),
    ],
)
def test_impossible_sizes_are_refused(size, message):
    with pytest.raises(BadInput, match=message):
        Size(**size)
