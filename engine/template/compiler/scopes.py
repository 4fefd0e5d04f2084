"""Names: an unset name holds Undefined from the start, and nothing is kept for contexts that nobody reads.

Fact: jinja2 gives an unset name a sentinel and asks at each use whether to make an Undefined of it. One Undefined is as
good as another: what a template can see of it is its type and that it is empty, false and not a number, and the errors
it raises are plain Jinja's to tell. So the name holds it at once, and a use is the bare local variable.

Fact: assignments are written into ``context.vars`` for templates that include, extend or import others, and into
``_loop_vars`` for functions that take the context. The sandbox of chat templates has neither, nor do the filters that
take the context read variables from it, so one empty context serves all renders.

Fact: what a name gets from the caller or the environment is the same all through a render, in every scope.

Does not fire: where a macro's default refers to a parameter that has no value yet, jinja2's own code stands.
"""

from __future__ import annotations

from jinja2 import nodes
from jinja2.compiler import Frame
from jinja2.idtracking import VAR_LOAD_ALIAS, VAR_LOAD_PARAMETER, VAR_LOAD_RESOLVE, VAR_LOAD_UNDEFINED

from .expressions import ExpressionWriter

__all__ = ["ScopePass"]


class ScopePass(ExpressionWriter):
    """Writes how names are looked up, loaded and set."""

    resolved: set[str]
    """Names that the caller or the environment gives a value."""

    def write_resolved(self) -> None:
        """Write how they get it, once for the whole render: nothing changes it."""
        for name in sorted(self.resolved):
            fallback = f"globals_[{name!r}]" if name in self.environment.globals else "U"
            self.writeline(f"v_{name} = variables.get({name!r}, {fallback})")

    def enter_frame(self, frame: Frame) -> None:
        """Load what the scope begins with."""
        undefined = []
        for target, (action, param) in frame.symbols.loads.items():
            if action == VAR_LOAD_RESOLVE:
                self.resolved.add(param)
                self.writeline(f"{target} = v_{param}")
            elif action == VAR_LOAD_ALIAS:
                self.writeline(f"{target} = {param}")
            elif action == VAR_LOAD_UNDEFINED:
                undefined.append(target)
            else:
                assert action == VAR_LOAD_PARAMETER
        self._forget(undefined)

    def leave_frame(self, frame: Frame, with_python_scope: bool = False) -> None:
        """Forget what the scope held: a macro that was made in it must not find it afterwards."""
        if not with_python_scope:
            self._forget(list(frame.symbols.loads))

    def _forget(self, targets: list[str]) -> None:
        if targets:
            self.writeline(f"{' = '.join(targets)} = U")

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:
        """Write a name: loaded, or as the target of an assignment."""
        ref = frame.symbols.ref(node.name)
        if node.ctx == "load" and self.parameter_is_undeclared(ref):
            super().visit_Name(node, frame)
        else:
            self.write(ref)

    def pop_assign_tracking(self, frame: Frame) -> None:
        """Keep no account of what was assigned."""
        self._assign_stack.pop()

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:
        """Write ``a if test else b``; without an else part it gives Undefined."""
        frame = frame.soft()
        other = "U" if node.expr2 is None else self.code(node.expr2, frame)
        self.write(f"({self.code(node.expr1, frame)} if {self.code(node.test, frame)} else {other})")
