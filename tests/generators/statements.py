"""Random Jinja statements: every tag of chat templates, in every form of whitespace control."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .expressions import ExpressionWriter
from .grammar import LOOPS, OPAQUE, REFUSED_TAGS
from .vocabulary import ATOMS, WORDS

__all__ = ["StatementWriter"]

_DATA = (
    # A lone brace before a tag would make another tag of it; `mistakes` does that on purpose.
    *(word for word in WORDS if not word.endswith("{")),
    # What whitespace control works upon comes more often than the rest.
    *("\n",) * 8,
    *("\n    ",) * 4,
    *("    ",) * 4,
    " ",
    "\n\n",
    "text\n",
    "  text  \n",
    "\t\n",
    "\r\n",
    "line\rline",
    "<|im_end|>\n",
    "{ { } }",
    "}} %} #}",
    "\x0b\x0c\u2028x",
)

_MACRO_ATTRIBUTES = ("name", "arguments", "catch_varargs", "catch_kwargs", "caller", "nosuch", "_func")

# jinja2 loses track of variables in these arguments ("a reference that was unknown to the frame"), so one is enough.
_SET_FILTERS = (
    "upper",
    "trim",
    "indent(2, true)",
    "replace('a', 'b')",
    "tojson",
    "escape",
    "wordcount",
    "default(text)",
)

# Growth is bounded: what a namespace carries from one round of a loop to the next grows by a literal only.
_NAMESPACE = "namespace(count=0, text='', items=[], found=false)"
_NAMESPACE_KINDS = {"ns.count": "number", "ns.text": "text", "ns.items": "list", "ns.found": "bool"}


class StatementWriter(ExpressionWriter):
    """Writes about *room* statements; *hostility* is the share of outputs that try what the sandbox refuses."""

    def __init__(self, rng: random.Random, daring: float, room: int, hostility: float = 0.0) -> None:
        super().__init__(rng, daring)
        self.hostility = hostility
        self.room = room
        self.sets_left = 8
        self.macros: list[tuple[str, int, bool]] = []
        """Name, number of parameters, and whether it uses its caller."""
        self.macro_count = 0
        self.block_count = 0
        self.finished_blocks: list[str] = []
        self.inside: list[str] = []
        """The statements around the place that is being written, outermost first."""

    def body(self, depth: int) -> str:
        """Write some statements, one after another."""
        return "".join(self.statement(depth) for _ in range(self.rng.choice((1, 1, 2, 2, 3, 4))))

    def statement(self, depth: int) -> str:
        """Write one statement."""
        self.room -= 1
        if depth <= 0 or self.room <= 0:
            return self.rng.choice((self.write_data, self.write_output))(depth)
        names = list(_WEIGHTS)
        name = self.rng.choices(names, [_WEIGHTS[name] for name in names])[0]
        write: Callable[[int], str] = getattr(self, f"write_{name}")
        return write(depth)

    # --- spelling -----------------------------------------------------------------------------------------------------

    def tag(self, inside: str) -> str:
        """Put *inside* between block delimiters of some form."""
        return self._delimit(inside, ("{%", "{%-", "{%+"), ("%}", "-%}", "+%}"))

    def _delimit(self, inside: str, openers: tuple[str, ...], closers: tuple[str, ...]) -> str:
        rng = self.rng
        opener = rng.choices(openers, (6, 3, 1)[: len(openers)])[0]
        closer = rng.choices(closers, (6, 3, 1)[: len(closers)])[0]
        before, after = (rng.choices((" ", "", "\n", "  "), (12, 1, 1, 1))[0] for _ in range(2))
        # `{{-1` and `x-}}` would read as whitespace control.
        before, after = before or " " * (not inside[:1].isalnum()), after or " " * (not inside[-1:].isalnum())
        return f"{opener}{before}{inside}{after}{closer}"

    @contextmanager
    def scope(self, place: str, kinds: dict[str, str] | None = None) -> Iterator[None]:
        """Let names be in scope meanwhile."""
        macros = list(self.macros)
        self.scopes.append(dict(kinds or {}))
        self.inside.append(place)
        yield
        self.scopes.pop()
        self.inside.pop()
        self.macros = macros

    def wrap(self, head: str, depth: int, kinds: dict[str, str] | None = None, end: str | None = None) -> str:
        """Write a block tag, a body and the tag that ends it."""
        place = head.split("(")[0].split()[0]
        with self.scope(place, kinds):
            body = self.body(depth - 1)
        return f"{self.tag(head)}{body}{self.tag(end or f'end{place}')}"

    # --- one method for each kind of statement ------------------------------------------------------------------------

    def write_data(self, _: int) -> str:
        """Write literal text."""
        return self.rng.choice(_DATA)

    def write_output(self, _: int) -> str:
        """Write an expression to be printed."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.03:
            inside = self.fill(rng.choice(OPAQUE), 1)
        elif draw < 0.06:
            inside = self.fill("<any>, <any>", 1)
        elif draw < 0.06 + self.hostility:
            inside = self.refused(2)
        elif rng.random() < 0.16 and self.macros:
            inside = self.macro_call()
        else:
            inside = self.expression("any", rng.choice((1, 2, 2, 3, 4)))
        return self._delimit(inside, ("{{", "{{-", "{{+"), ("}}", "-}}"))

    def write_if(self, depth: int) -> str:
        """Write a condition with some of its other arms."""
        rng = self.rng
        text = self.tag(f"if {self.expression('bool', 3)}") + self.body(depth - 1)
        while rng.random() < 0.25:
            text += self.tag(f"elif {self.expression('bool', 2)}") + self.body(depth - 1)
        if rng.random() < 0.4:
            text += self.tag("else") + self.body(depth - 1)
        return text + self.tag("endif")

    def write_for(self, depth: int) -> str:
        """Write a loop, which may filter its items, be recursive, be left early, or have an arm for no items."""
        rng = self.rng
        if self.loops >= 3 or ("macro" in self.inside and self.loops >= 1):
            return self.write_output(depth)
        if rng.random() < 0.12:
            return self._write_recursion(depth)
        target, source, kinds = rng.choice(LOOPS)
        head = f"for {target} in {self.fill(source, 2)}"
        with self.scope("for", kinds):
            if rng.random() < 0.2:
                head += f" if {self.expression('bool', 2)}"
            self.loops += 1
            body = self.body(depth - 1)
            if rng.random() < 0.6:
                body += f"{{{{ {self.loop_attribute()} }}}}"
            self.loops -= 1
        if rng.random() < 0.25:
            body += self.tag("else") + self.body(depth - 1)
        return self.tag(head) + body + self.tag("endfor")

    def _write_recursion(self, depth: int) -> str:
        with self.scope("for", {"node": "row"}):
            self.loops += 3
            body = self.body(depth - 1) + "{{ loop(node.children) if node.children }}" + self.write_output(0)
            self.loops -= 3
        return self.tag("for node in tree recursive") + body + self.tag("endfor")

    def write_leave(self, depth: int) -> str:
        """Write a break or a continue; outside a loop it is a mistake."""
        leave = self.rng.choice(("break", "continue"))
        if "for" not in self.inside and not self.dares():
            return self.write_output(depth)
        if self.rng.random() < 0.2:
            return self.tag(leave)
        return self.tag(f"if {self.expression('bool', 2)}") + self.tag(leave) + self.tag("endif")

    def write_set(self, depth: int) -> str:
        """Write an assignment of one of the four forms."""
        rng = self.rng
        if self.sets_left <= 0:
            return self.write_output(depth)
        self.sets_left -= 1
        draw = rng.random()
        if draw < 0.3:
            return self._write_namespace()
        name = rng.choice(("x", "y", "z", "text", "message", "loop_messages", "first"))
        if draw < 0.4:
            filters = "".join(f" | {rng.choice(_SET_FILTERS)}" for _ in range(rng.choice((0, 0, 1, 2))))
            text = self.wrap(f"set {name}{filters}", depth)
            self.scopes[-1][name] = "text"
            return text
        if draw < 0.5:
            pair = self.fill(rng.choice(("<any>, <any>", "(<any>, <text>)", "[<small>, <text>]", "<pairs!>|first")), 2)
            self.scopes[-1].update({"x": "any", "y": "any"})
            return self.tag(f"set {rng.choice(('x, y', '(x, y)', 'x, (y)'))} = {pair}")
        kind = rng.choice(("text", "text", "list", "dict", "rows", "any", "bool", "small"))
        text = self.tag(f"set {name} = {self.expression(kind, 2)}")
        self.scopes[-1][name] = kind
        return text

    def _write_namespace(self) -> str:
        rng = self.rng
        if not any("ns.count" in scope for scope in self.scopes):
            self.scopes[-1].update(_NAMESPACE_KINDS)
            return self.tag(f"set ns = {_NAMESPACE}")
        if self.dares():
            return self.tag(rng.choice(("set ns._x = 1", "set ns.__class__ = 2")))
        growth = rng.choice([*ATOMS["text"], *(("loop.index", "loop.first") if self.loops else ())])
        return self.tag(
            rng.choice(
                (
                    "set ns.count = ns.count + 1",
                    f"set ns.text = ns.text ~ {growth}",
                    f"set ns.items = ns.items + [{growth}]",
                    f"set ns.found = {self.fill('not <bool!!>', 1)}",
                    f"set ns.fresh = {growth}",
                )
            )
        )

    def write_macro(self, depth: int) -> str:
        """Write a macro with some of: defaults, more arguments than it names, a caller."""
        rng = self.rng
        if self.macro_count >= 2 or "macro" in self.inside:
            return self.write_output(depth)
        self.macro_count += 1
        name = f"m{self.macro_count}"
        count = rng.choice((0, 1, 1, 2, 3))
        plain = rng.randint(0, count)
        parameters = [
            f"p{number}" if number < plain else f"p{number}={self.expression('any', 1)}" for number in range(count)
        ]
        extras = [
            extra
            for extra in ("varargs", "kwargs|dictsort", "kwargs.a", "caller()", "caller('p', 2)")
            if rng.random() < 0.15
        ]
        # A macro sees nothing of the loops around it but their variables.
        loops, self.loops = self.loops, 0
        with self.scope("macro", {f"p{number}": "any" for number in range(count)}):
            body = self.body(depth - 1) + "".join(f"{{{{ {extra} }}}}" for extra in extras)
            if count and rng.random() < 0.1:
                body += f"{{% if p0 is integer and 0 < p0 < 4 %}}{{{{ {name}(p0 - 1) }}}}{{% endif %}}"
            endless = f"{{{{ {name}({', '.join(f'p{number}' for number in range(count))}) }}}}" if self.dares() else ""
        self.loops = loops
        self.macros.append((name, count, any("caller" in extra for extra in extras)))
        head = self.tag(f"macro {name}({', '.join(parameters)})")
        return head + endless + body + self.tag("endmacro") + endless

    def macro_call(self) -> str:
        """Write a call of a macro, or what a macro tells about itself."""
        rng = self.rng
        name, count, _ = rng.choice(self.macros)
        if rng.random() < 0.12:
            return f"{name}.{rng.choice(_MACRO_ATTRIBUTES)}"
        passed = count if not self.dares() else rng.randint(0, 4)
        arguments = [self.expression("any", 1) for _ in range(passed)]
        if count and rng.random() < 0.15:
            arguments[-1:] = [f"p{count - 1}={self.expression('any', 1)}"]
        if self.dares():
            arguments.append(rng.choice(("a=1", "*[1, 2]", "**{'a': 1}", "p0=1", "caller=1", "nosuch=2")))
        return f"{name}({', '.join(arguments)})"

    def write_call(self, depth: int) -> str:
        """Write a call block."""
        taking = [macro for macro in self.macros if macro[2]]
        if not (taking or (self.macros and self.dares())):
            return self.write_output(depth)
        call = f"{self.rng.choice(taking or self.macros)[0]}({self.expression('any', 1)})"
        return self.wrap(
            self.rng.choice((f"call {call}", f"call(q, r=1) {call}", f"call(q, r) {call}")), depth, {"q": "any"}
        )

    def write_filter(self, depth: int) -> str:
        """Write a filter block."""
        names = self.rng.choices(
            ("upper", "trim", "indent", "replace", "escape", "tojson", "wordcount", "title"),
            k=self.rng.choice((1, 1, 2)),
        )
        return self.wrap(f"filter {'|'.join(self.filter_call(name, 1) for name in names)}", depth)

    def write_with(self, depth: int) -> str:
        """Write a scope of its own."""
        rng = self.rng
        names = rng.sample(("w", "v", "text"), rng.choice((0, 1, 1, 2)))
        bound = ", ".join(f"{name} = {self.expression('any', 2)}" for name in names)
        return self.wrap(f"with {bound}".rstrip(), depth, dict.fromkeys(names, "any"))

    def write_autoescape(self, depth: int) -> str:
        """Write a stretch in which output is or is not escaped for HTML."""
        return self.wrap(f"autoescape {self.rng.choice(('true', 'true', 'false', self.expression('bool', 1)))}", depth)

    def write_generation(self, depth: int) -> str:
        """Write text that the model is trained on."""
        return self.wrap("generation", depth)

    def write_block(self, depth: int) -> str:
        """Write a named block, or print one again."""
        rng = self.rng
        if self.finished_blocks and rng.random() < 0.3:
            return f"{{{{ self.{rng.choice(self.finished_blocks)}() }}}}"
        if "macro" in self.inside and not self.dares():
            return self.write_output(depth)
        self.block_count += 1
        name = f"b{self.block_count}"
        form = rng.choices(("", " scoped", " required", " scoped required"), (6, 3, self.daring, self.daring))[0]
        end = rng.choice(("endblock", f"endblock {name}"))
        # A block sees the variables of the outermost scope only.
        loops, scopes = self.loops, self.scopes
        self.loops, self.scopes = 0, self.scopes[:1]
        text = self.wrap(f"block {name}{form}", depth, end=end)
        self.loops, self.scopes = loops, scopes
        if self.dares():
            text += "{{ super() }}"
        # Only now, so that a block does not print itself.
        self.finished_blocks.append(name)
        return text

    def write_refused(self, depth: int) -> str:
        """Write a tag that is refused."""
        if not (self.dares(3) or self.rng.random() < self.hostility):
            return self.write_output(depth)
        return self.tag(self.fill(self.rng.choice(REFUSED_TAGS), 1))

    def write_raw(self, _: int) -> str:
        """Write a stretch in which tags are text."""
        inside = self.rng.choice(("{{ x }}", "{% if %}", " {# #} ", "\n  text\n", "", "{% raw %}", "}}"))
        return self._delimit("raw", ("{%", "{%-", "{%+"), ("%}", "-%}")) + inside + self.tag("endraw")

    def write_comment(self, _: int) -> str:
        """Write a comment."""
        inside = self.rng.choice(("note", "{{ x }}", "{% if %}", "two\nlines", "'", "-"))
        return self._delimit(inside, ("{#", "{#-", "{#+"), ("#}", "-#}", "+#}"))


_WEIGHTS = {
    "data": 14,
    "output": 18,
    "if": 7,
    "for": 8,
    "leave": 2,
    "set": 8,
    "macro": 2,
    "call": 3,
    "filter": 1.5,
    "with": 1.5,
    "autoescape": 1.5,
    "generation": 3,
    "block": 1.5,
    "refused": 1.5,
    "raw": 1,
    "comment": 1.5,
}
