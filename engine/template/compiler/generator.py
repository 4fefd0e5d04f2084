"""The passes put together, around the function that a template becomes: ``root(variables, out)``.

*variables* is what the caller passes to the template, *out* the list that takes the pieces of text. Everything else
that the code names is listed in :mod:`.code_globals`.
"""

from __future__ import annotations

from io import StringIO

from jinja2 import Environment, nodes
from jinja2.compiler import Frame
from jinja2.nodes import EvalContext

from .admission import check_tree
from .filters import FilterPass
from .loops import LoopPass
from .macros import MacroPass
from .methods import MethodPass
from .namespaces import NamespacePass
from .output import OutputPass
from .scopes import ScopePass
from .tests import TestPass

__all__ = ["generate_code"]


def generate_code(tree: nodes.Template, environment: Environment) -> str:
    """Return Python code for a parsed template.

    Raises:
        Unsupported: the template holds something that no pass has proved.
        jinja2.TemplateAssertionError: jinja2 would not compile it.
    """
    check_tree(tree)
    generator = _Generator(environment, None, None, optimized=False)
    generator.visit(tree)
    code: str = generator.stream.getvalue()  # type: ignore[attr-defined]
    return code


class _Generator(NamespacePass, LoopPass, MacroPass, MethodPass, FilterPass, TestPass, OutputPass, ScopePass):
    """Earlier passes are asked first, and hand on what they do not claim."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        """Write the function of a whole template."""
        self.find_macros(node)
        self.find_namespaces(node)
        self.find_loops(node)
        self.find_items()
        self.find_output(node)
        root = Frame(EvalContext(self.environment, None))
        root.symbols.analyze_node(node)
        root.buffer = "out"
        self.writeline("def root(variables, out):")
        self.indent()
        for name in sorted(self.reserved):
            self.writeline(f"if {name!r} in variables: retreat_()")
        self.resolved = set()
        head, self.stream = self.stream, StringIO()
        self.enter_frame(root)
        self.blockvisit(node.body, root)
        body, self.stream = self.stream.getvalue(), head
        self.write_resolved()
        self.stream.write(body)
        self.outdent()
