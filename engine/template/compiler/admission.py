"""Which templates are compiled at all.

Left to plain Jinja are: templates that are made of several (``include``, ``extends``, ``block`` …), change how text is
escaped, or use ``sameas`` (input is not copied, so that two equal values may be one); what draws random numbers, which
a second render would draw again; and sizes far beyond real templates, where jinja2 and Python meet limits of their own.

jinja2 works constant expressions out while it compiles. It fails there on a dict's keys that cannot be keys, and cannot
write infinity and not-a-number into its code; compiled code would come that far only when it runs, if ever. So
templates are left to it as well whose constants could be such.
"""

from __future__ import annotations

from jinja2 import nodes

from .expressions import Unsupported

__all__ = ["check_tree"]

SUPPORTED = frozenset(
    # As a text: a list of words takes six times the lines.
    (  # noqa: SIM905
        "Add And Assign AssignBlock Break Call CallBlock Compare Concat CondExpr Const Continue Dict Div "
        "ExtensionAttribute Filter FilterBlock FloorDiv For Getattr Getitem If Keyword List Macro Mod Mul NSRef Name "
        "Neg Not Operand Or Output Pair Pos Pow Slice Sub Template TemplateData Test Tuple With"
    ).split()
)
KEY_PARTS = (nodes.Add, nodes.Concat, nodes.Const, nodes.Getattr, nodes.Getitem, nodes.Name)
MOST_NODES = 20_000
DEEPEST = 80
"""Real templates have up to 3,000 nodes, 31 deep."""
MOST_PRODUCTS = 20
LARGEST = 10**9
"""A product of so many numbers of this size is far from infinity."""


def check_tree(tree: nodes.Template) -> None:
    """Look at every node of a template.

    Raises:
        Unsupported: it is to be left to plain Jinja.
    """
    count = depth = products = 0
    has_float = has_large = False
    level: list[nodes.Node] = [tree]
    while level:
        depth += 1
        count += len(level)
        if count > MOST_NODES or depth > DEEPEST:
            raise Unsupported("a template of this size")
        following: list[nodes.Node] = []
        for node in level:
            if type(node).__name__ not in SUPPORTED:
                raise Unsupported(f"a node of type {type(node).__name__}")
            if isinstance(node, nodes.Const):
                has_float |= type(node.value) is float
                has_large |= type(node.value) in (int, float) and not _is_moderate(node.value)
            elif isinstance(node, nodes.Name) and node.name in ("self", "super", "lipsum"):
                raise Unsupported(f"the name {node.name}")
            elif isinstance(node, nodes.Filter) and node.name == "random":
                raise Unsupported("random numbers")
            elif isinstance(node, nodes.Pow) or (_gives_float(node) and not _reads_name(node)):
                raise Unsupported("numbers of any size")
            elif isinstance(node, nodes.Pair) and not _is_fit_key(node.key):
                raise Unsupported("a key that may be a list")
            products += isinstance(node, nodes.Mul)
            following.extend(node.iter_child_nodes())
        level = following
    if (has_float or products) and (has_large or products > MOST_PRODUCTS):
        raise Unsupported("numbers of any size")


def _is_moderate(value: float) -> bool:
    return value == 0 or 1 / LARGEST <= abs(value) <= LARGEST


def _is_fit_key(node: nodes.Expr) -> bool:
    """Tell whether the key of a dict is of a kind that cannot come to a constant list."""
    if isinstance(node, nodes.Const):
        return True
    parts = [node, *node.find_all(nodes.Expr)]
    return _reads_name(node) and all(isinstance(part, KEY_PARTS) for part in parts)


def _reads_name(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) or next(node.find_all(nodes.Name), None) is not None


def _gives_float(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Filter) and node.name in ("float", "map", "sum")
