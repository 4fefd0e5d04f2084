"""Which tokens count as the assistant's: worked out by hand."""

from __future__ import annotations

import pytest

from turnwire.tokens.masks import assistant_mask

OFFSETS = [(0, 2), (2, 5), (5, 6), (6, 9), (9, 12)]


@pytest.mark.parametrize(
    ("spans", "mask"),
    [
        ([], [0, 0, 0, 0, 0]),
        ([(2, 6)], [0, 1, 1, 0, 0]),
        ([(3, 4)], [0, 1, 0, 0, 0]),  # a part of a token is enough
        ([(5, 5)], [0, 0, 0, 0, 0]),
        ([(4, 7)], [0, 1, 1, 1, 0]),
        ([(0, 12)], [1, 1, 1, 1, 1]),
        ([(0, 1), (10, 99)], [1, 0, 0, 0, 1]),
        ([(0, 2), (2, 3), (8, 9)], [1, 1, 0, 1, 0]),
        ([(20, 30)], [0, 0, 0, 0, 0]),
    ],
)
def test_every_token_that_overlaps_a_span_counts(spans: list[tuple[int, int]], mask: list[int]) -> None:
    assert assistant_mask(spans, OFFSETS) == mask


def test_padding_and_added_tokens_never_count() -> None:
    assert assistant_mask([(0, 12)], [(0, 0), (0, 0), (0, 2), (2, 5), (0, 0)]) == [0, 0, 1, 1, 0]


def test_of_a_text_cut_on_the_left_the_rest_counts() -> None:
    assert assistant_mask([(0, 4), (8, 12)], [(6, 9), (9, 12)]) == [1, 1]


def test_a_span_inside_another_is_lost_once_the_pass_is_beyond_it() -> None:
    # As Transformers gives it: spans come in the order in which the blocks ended, the inner one first.
    assert assistant_mask([(2, 5), (0, 9)], OFFSETS) == [0, 1, 1, 1, 0]
