"""Step 3: ``<steptml:invoke name="NAME">`` with ``<steptml:parameter name="KEY">`` inside, in a section of calls."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, Reasoning, TaggedBody, WireFormat

FAMILY = Family(
    name="step3",
    aliases=(),
    models=("stepfun-ai/step3",),
    wire_format=WireFormat(
        header=("<|BOT|>assistant\n",),
        prefill="<think>\n",
        lead=(" ",),
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=("<｜tool_calls_begin｜>",),
                close=("<｜tool_calls_end｜>",),
                # The marks of a call stand between these and are passed over, in either of their spellings.
                call_open=('<steptml:invoke name="',),
                call_close=("</steptml:invoke>",),
                confirm=r"\s{0,64}<｜tool_call_begin",
                body=TaggedBody(
                    name_until=('">',),
                    key_open=('<steptml:parameter name="',),
                    key_until=('">',),
                    value_close=("</steptml:parameter>",),
                    strict_close=True,
                ),
            ),
        ),
        content_trim="calls",
        stop=("<|EOT|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/stepfun-ai/step3",),
    spellings=(
        "`<｜tool_call_begin｜>`, as the system prompt teaches; the template itself writes `<｜tool_call_begin>｜>`",
    ),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</steptml:parameter>` and then another mark of the format reads as more than one",
        "ids of calls, and reasoning: the template does not write them",
        "white space around content: the template writes spaces and line breaks of its own there",
    ),
)
