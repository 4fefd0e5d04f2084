"""MiniCPM 5: ``<function name="NAME">`` with ``<param name="KEY">`` inside, values perhaps as CDATA."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, Reasoning, TaggedBody, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP

FAMILY = Family(
    name="minicpm5",
    aliases=(),
    models=(
        "openbmb/MiniCPM5-1B",
        "openbmb/MiniCPM5-1B-SFT",
        "openbmb/MiniCPM5-1B-Base",
        "openbmb/MiniCPM-SALA",
        "ai9stars/G9v3-3B",
    ),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=('<function name="',),
                close=("</function>",),
                confirm=r'[^"<>\s]{1,256}">\s{0,64}(?:<param name="|</function>)',
                body=TaggedBody(
                    name_until=('">',),
                    key_open=('<param name="',),
                    key_until=('">',),
                    value_close=("</param>",),
                    strict_close=True,
                    quotes=("<![CDATA[", "]]>"),
                ),
            ),
        ),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/openbmb/MiniCPM5-1B", "https://huggingface.co/openbmb/MiniCPM-SALA"),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a text value that holds `]]></param>` and then another mark of the format reads as more than one",
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
