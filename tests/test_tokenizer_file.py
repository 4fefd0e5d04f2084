"""Which of several versioned tokenizer files is the one for Transformers 5.24.0."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwire.loading.tokenizer_file import choose_tokenizer_file


# What packaging says of each against 5.24.0.
@pytest.mark.parametrize(
    ("version", "is_taken"),
    [
        ("4", True),
        ("5.24", True),
        ("v5.24.0", True),
        ("5.24.0.0", True),
        ("5.24.0rc1", True),
        ("5.24.0.dev0", True),
        ("5.24.0rc1.post2", True),
        ("5.24.0.dev0+local", True),
        ("5.24.0.post1", False),
        ("5.24.0-1", False),
        ("5.24.0+local", False),
        ("5.24.0.0.1", False),
        ("5.25.dev0", False),
        ("42.0.0", False),
    ],
)
def test_versions_are_compared_as_packaging_does(version: str, is_taken: bool) -> None:
    name = f"tokenizer.{version}.json"
    chosen = choose_tokenizer_file({"fast_tokenizer_files": [name]}, Path("tokenizer_config.json"))
    assert chosen == (name if is_taken else "tokenizer.json")


def test_versions_are_tried_in_the_order_of_their_text() -> None:
    # As in Transformers, where "10" comes before "4" and ends the search.
    names = ["tokenizer.4.json", "tokenizer.10.json"]
    assert choose_tokenizer_file({"fast_tokenizer_files": names}, Path("t")) == "tokenizer.json"
