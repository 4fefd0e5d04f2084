"""Texts that tokenizers stumble over: whitespace, scripts, composed characters, control tokens, code, long runs."""

from __future__ import annotations

import random

__all__ = ["NASTY_TEXTS", "generate_text"]

NASTY_TEXTS = (
    "",
    " ",
    "  ",
    "\n",
    " \n\t \r\n ",
    "a",
    " a",
    "a ",
    " hello world ",
    "Hello, world! It's a test: don't you think so?",
    "the  quick   brown    fox",
    "\u00e9 e\u0301 \ufb01 \u1e9b\u0323 \u212b \u00c5 A\u030a",  # composed, decomposed, compatibility
    "日本語のテキストと中文文字 한국어 텍스트",
    "العربية עברית हिन्दी ไทย ქართული",
    "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 \U0001f9d1\u200d\U0001f4bb",
    "\u0000\u0001\u001f\u007f\u0080\ufeff\ufffd\U000f0000\U0010ffff",
    "a\u00a0b\u2003c\u200bd\u3000e\u2028f",
    "0 1 12 123 1234 12345 3.14159 1,000,000 ½ ² Ⅷ",
    "def f(x):\n    return x**2  # square\n\n\nprint(f(3))\r\n\tif x:\n\t\tpass",
    '{"name": "get_weather", "arguments": {"city": "Z\\u00fcrich", "n": [1, 2]}}',
    "https://example.org/a/b?c=d&e=%20#f user@example.org C:\\path\\file.txt",
    "<s>hello</s> <unk> <pad> <|im_start|>user\nhi<|im_end|>\n",
    "<s><s></s></s>",
    "x<s>y </s> z",
    "<image> <image><image>text<image>",
    "▁▁a ▁b Ġc Ċ",
    "[CLS] hello [SEP] [MASK] [UNK] [PAD]",
    "word wordy sword word.word WORD Word",
    "don't 'tis rock'n'roll I'LL we'd",
    "ÀÉÎÕÜ straße İstanbul ǅ ΑΣ ﬀ",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    " " * 130,
    "\n" * 70,
    "!?.,;:-_()[]{}<>/\\|@#$%^&*~`\"'+=",
    "tab\tseparated\tvalues\n1\t2\t3",
    "<think>\nlet me see\n</think>\n\n<tool_call>\n{}\n</tool_call>",
)

_PIECES = (
    *(
        "the",
        "quick",
        "brown",
        "fox",
        "hello",
        "world",
        "token",
        "token",
        "s",
        "'s",
        "n't",
        "I'm",
        "WORD",
        "Straße",
        "é",
        "e\u0301",
    ),
    *(" ", " ", " ", "  ", "    ", "\n", "\n\n", "\t", "\r\n", "\u00a0", "\u3000", "\u200d", "\ufeff"),
    *(".", ",", "!", "?", "(", ")", "{", "}", '"', "'", "\\", "<", ">", "|", "/", "-", "_", "▁", "Ġ"),
    *(
        "0",
        "1",
        "12",
        "2024",
        "3.14",
        "½",
        "日本",
        "中文",
        "한국",
        "שלום",
        "नम",
        "😀",
        "👍🏽",
        "\u0000",
        "\ud7ff",
        "\U000f0000",
    ),
    *(
        "<s>",
        "</s>",
        "<unk>",
        "<pad>",
        "<|im_start|>",
        "<|im_end|>",
        "<image>",
        "<tool>",
        "word",
        "[CLS]",
        "[SEP]",
        "[MASK]",
    ),
)


def generate_text(rng: random.Random, extra: tuple[str, ...] = (), longest: int = 40) -> str:
    """Return a text of random pieces; *extra* pieces, such as a model's own control tokens, come up often."""
    pieces = [*_PIECES, *extra, *extra]
    text = "".join(rng.choice(pieces) for _ in range(rng.randint(0, longest)))
    if rng.random() < 0.1:
        text += "".join(
            chr(rng.choice((rng.randint(1, 0x2FF), rng.randint(0x300, 0xD7FF), rng.randint(0xE000, 0x1FFFF))))
            for _ in range(rng.randint(1, 20))
        )
    return text
