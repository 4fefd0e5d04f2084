"""LFM 2 and 2.5: a list of calls as Python writes them, or JSON, between ``<|tool_call_start|>`` and its end."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, PythonBody, Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP

OPEN, CLOSE = ("<|tool_call_start|>",), ("<|tool_call_end|>",)

FAMILY = Family(
    name="lfm2",
    aliases=(),
    models=(
        "LiquidAI/LFM2-350M",
        "LiquidAI/LFM2-700M",
        "LiquidAI/LFM2-1.2B",
        "LiquidAI/LFM2-1.2B-Tool",
        "LiquidAI/LFM2-2.6B",
        "LiquidAI/LFM2-8B-A1B",
        "LiquidAI/LFM2-24B-A2B",
        "LiquidAI/LFM2.5-230M",
        "LiquidAI/LFM2.5-350M",
        "LiquidAI/LFM2.5-1.2B-Instruct",
        "LiquidAI/LFM2.5-1.2B-Thinking",
        "LiquidAI/LFM2.5-8B-A1B",
        "LiquidAI/LFM2.5-8B-A1B-Base",
        "LiquidAI/LFM2.5-VL-450M",
        "LiquidAI/LFM2.5-VL-1.6B",
        "unsloth/LFM2.5-230M",
    ),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(trim=False, at_start_only=True),
        calls=(
            CallSyntax(
                open=OPEN,
                close=CLOSE,
                confirm=r"\s{0,64}\[?\s{0,64}[A-Za-z_][\w.\-]{0,128}\(",
                body=PythonBody(unescaped=True),
            ),
            CallSyntax(open=OPEN, close=CLOSE, confirm=r"\s{0,64}\[?\s{0,64}\{", body=JsonBody()),
        ),
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/LiquidAI/LFM2.5-8B-A1B", "https://huggingface.co/LiquidAI/LFM2.5-VL-450M"),
    spellings=(
        "text that holds its own quotation mark unescaped: the templates write it so, https://github.com/sgl-project/sglang",
        "calls as JSON, which the system prompt may ask for; `true`, `false` and `null`: SGLang's parser of this name",
    ),
    loss=(
        "text with backslashes: the templates write it as it is, Python reads it as escaped",
        "text in which a comma, a colon or a closing bracket follows a quotation mark: it ends there",
        "names of tools and arguments that Python would not take",
        "the place of content beside calls: the template of LFM2.5-VL-450M writes it behind them",
        "calls, in the templates of LFM 2 and of LFM2.5-1.2B: they write none",
        "ids of calls: the templates do not write them",
    ),
)
