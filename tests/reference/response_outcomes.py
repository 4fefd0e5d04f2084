"""What a response template and a reply come to, here and in the installed Transformers, step by step as texts."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from transformers.utils.chat_parsing import response_parser as theirs

import turnwire.reply.response_parser as ours
from tests.generators.response_templates import Case

__all__ = ["ENDLESS", "our_outcome", "their_outcome"]

ENDLESS = "opens again and again at one place"
"""Where Transformers never returns, and ours says so."""


class Endless(Exception):
    """Transformers' parser does not come to an end."""


class BoundedParser(theirs.ResponseParser):
    """Transformers' parser, which gives up where it would go on for ever."""

    openings = 0

    def _open_explicit(self, *args: Any) -> None:
        self.openings += 1
        if self.openings > 2000:
            raise Endless
        super()._open_explicit(*args)


def their_outcome(case: Case) -> list[str]:
    """Run Transformers on *case*."""
    with patch.object(theirs, "ResponseParser", BoundedParser):
        return _run(case, theirs.ResponseParser, theirs.parse_response)


def our_outcome(case: Case) -> list[str]:
    """Run turnwire on *case*."""
    return _run(case, ours.ResponseParser, ours.parse_response)


def _run(case: Case, make_parser: Callable[..., Any], parse: Callable[..., Any]) -> list[str]:
    template, tools = copy.deepcopy((case.template, case.tools))
    steps: list[str] = []

    def note(call: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        if steps[-1:] == [ENDLESS]:
            return None
        try:
            result = call(*arguments, **keywords)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            steps.append(ENDLESS if isinstance(error, Endless) or "again and again" in text else text)
            return None
        steps.append(repr(getattr(result, "initial_events", result)))
        return result

    parser = note(make_parser, template, prefix=case.prefix, tools=tools)
    if parser is not None:
        for piece in case.pieces:
            note(parser.feed, piece)
        note(parser.finalize)
        note(parser.finalize)
        note(parser.feed, "")
    note(parse, "".join(case.pieces), template, prefix=case.prefix, tools=tools)
    steps.append(repr((template == case.template, tools == case.tools)))
    return steps
