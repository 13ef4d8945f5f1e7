"""Mutations: the program with one small mistake put in, which the tests must notice.

A mutant is a module with one place of its syntax tree changed: a comparison that takes in its bound or turns round,
``and`` for ``or``, a condition left out or negated, a number that is one off, another operation, a statement that is
not carried out, an answer that is None, an exception that is not caught, a statement of SQL that asks for something
else. What is only said in words, types, and the log are left as they are.

``python -m dev.mutations`` makes some at random in copies of the program, and runs the tests on each.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple, TypeVar

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
_SQL_VERBS = ("SELECT ", "INSERT ", "UPDATE ", "DELETE ", "PRAGMA ", "BEGIN")
_SQL_WORDS = ((" AND ", " OR "), (" OR ", " AND "), (" = ? AND", " <> ? AND"), (">=", ">"), ("IS NULL", "IS NOT NULL"))
_TYPES = ("annotation", "returns")

Node = TypeVar("Node", bound=ast.AST)


class Mutant(NamedTuple):
    """A module with one change."""

    line: int
    """Of the module as it is."""
    before: str
    """The line that differs, as the syntax tree is written."""
    after: str
    source: str
    """The whole module."""


def mutants_of(source: str) -> list[Mutant]:
    """The mutants of the module *source*, no two of them the same, in the order of its lines.

    >>> [mutant.after for mutant in mutants_of("def f(n): return n < 3")]
    ['return None', 'return n <= 3', 'return n < 4', 'return n < 2']
    """
    tree = ast.parse(source)
    whole = ast.unparse(tree)
    found: dict[str, Mutant] = {}
    for parent, field, index in _places(tree):
        value = getattr(parent, field)
        node = value if index is None else value[index]
        for variant in _variants(node):
            _put(parent, field, index, variant)
            mutated = ast.unparse(tree)
            if mutated not in found and mutated != whole:
                found[mutated] = Mutant(node.lineno, *_difference(whole, mutated), mutated)
        _put(parent, field, index, node)
    return sorted(found.values(), key=lambda mutant: mutant.line)


def _places(parent: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where a statement or an expression stands: in which node's field, and where in it; not those of types."""
    for field, value in ast.iter_fields(parent):
        if field in _TYPES or isinstance(parent, ast.JoinedStr):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.stmt | ast.expr):
                yield parent, field, index
            if isinstance(child, ast.AST):
                yield from _places(child)


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _difference(one: str, other: str) -> tuple[str, str]:
    """The first line in which the two differ."""
    lines = zip_longest(one.splitlines(), other.splitlines(), fillvalue="")
    return next((left.strip(), right.strip()) for left, right in lines if left != right)


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of *node*."""
    if isinstance(node, ast.stmt):
        yield from _statements(node)
    elif isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            yield _with(node, ops=[*node.ops[:index], _COMPARISONS[type(operator)](), *node.ops[index + 1 :]])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        for index in range(len(node.values)):
            rest = node.values[:index] + node.values[index + 1 :]
            yield _with(node, values=rest) if len(rest) > 1 else rest[0]
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        yield _with(node, op=_OPERATIONS[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield _with(node, test=_negated(node.test))
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        for index, loop in enumerate(node.generators):
            if loop.ifs:
                rest_of = [*node.generators[:index], _with(loop, ifs=loop.ifs[1:]), *node.generators[index + 1 :]]
                yield _with(node, generators=rest_of)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    if isinstance(node, ast.If | ast.While):
        yield _with(node, test=_negated(node.test))
    elif isinstance(node, ast.Return) and not _says_nothing(node.value):
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.AugAssign) and type(node.op) in _OPERATIONS:
        yield _with(node, op=_OPERATIONS[type(node.op)]())
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.With) and any(isinstance(item.context_expr, ast.Call) for item in node.items):
        if all(item.optional_vars is None for item in node.items):
            yield ast.If(ast.Constant(True), node.body, [])
    elif isinstance(node, ast.Try):
        for index in range(len(node.handlers) if len(node.handlers) > 1 else 0):
            yield _with(node, handlers=node.handlers[:index] + node.handlers[index + 1 :])
    if _may_be_left_out(node):
        yield ast.Pass()


def _may_be_left_out(node: ast.stmt) -> bool:
    """Whether a module without *node* still means something: names that are assigned to are needed."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom) and not _is_logging(node.value)
    if isinstance(node, ast.Assign):
        inner = (inner for target in node.targets for inner in ast.walk(target))
        return not any(isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) for one in inner)
    if isinstance(node, ast.Return):
        return node.value is None
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Delete)


def _is_logging(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "log"


def _constants(node: ast.Constant) -> Iterator[ast.Constant]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)
    elif isinstance(value, str) and value.lstrip().startswith(_SQL_VERBS):
        for word, other in _SQL_WORDS:
            if word in value:
                yield ast.Constant(value.replace(word, other, 1))


def _says_nothing(value: ast.expr | None) -> bool:
    """Whether None instead of *value* would be the same, or another mutant is."""
    return value is None or (isinstance(value, ast.Constant) and value.value in (None, True, False))


def _negated(test: ast.expr) -> ast.expr:
    return (
        test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else ast.UnaryOp(ast.Not(), test)
    )


def _with(node: Node, **fields: object) -> Node:
    """*node* with other *fields*; itself it stays as it is."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other
