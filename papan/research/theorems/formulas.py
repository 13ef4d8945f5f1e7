"""Quantified boolean formulas in prenex conjunctive normal form: read, written, drawn at random, and decided.

There are two notations: QDIMACS, and a short one, ``E1 A2: 1 -2, -1 2`` for ∃x₁∀x₂ (x₁ ∨ ¬x₂) ∧ (¬x₁ ∨ x₂).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from papan.game.base.sentences import SentenceError
from papan.game.base.untrusted import quoted, whole_number

MOST_VARIABLES = 20
MOST_CLAUSES = 200


class FormulaError(SentenceError, ValueError):
    """A text is no formula, or a formula can't be reduced; the message is a sentence that says why."""


class Formula(NamedTuple):
    """A closed formula; variables are numbered from 1 in the order of the prefix."""

    universal: tuple[bool, ...]
    """Whether each variable is universal, outermost first."""
    clauses: tuple[tuple[int, ...], ...]
    """Each clause's literals: the variables' numbers, negative if negated."""

    def __str__(self) -> str:
        prefix = " ".join(f"{'EA'[is_universal]}{number}" for number, is_universal in enumerate(self.universal, 1))
        return f"{prefix}: {', '.join(' '.join(map(str, clause)) for clause in self.clauses)}"


def is_true(formula: Formula, values: tuple[bool, ...] = ()) -> bool:
    """Whether *formula* is true, given *values* of the outermost variables; tries all values of the others.

    >>> is_true(read("E1 A2: 1 -2, 1 2")), is_true(read("A1 E2: 1 2, -1 -2")), is_true(read("E1 A2: 1 2, -1 -2"))
    (True, True, False)
    """
    if len(values) == len(formula.universal):
        return all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in formula.clauses)
    branches = (is_true(formula, (*values, value)) for value in (True, False))
    return all(branches) if formula.universal[len(values)] else any(branches)


def read(text: str) -> Formula:
    """The formula *text*, in QDIMACS or in the short notation.

    >>> read("p cnf 2 1\\ne 1 0\\na 2 0\\n1 -2 0\\n") == read("E1 A2: 1 -2")
    True

    :raises FormulaError: *text* is no formula; the message says what is wrong, and where.
    """
    is_short = ":" in text.partition("\n")[0] and not text.lstrip().startswith(("p ", "c"))
    blocks, clauses = _read_short(text) if is_short else _read_qdimacs(text)
    numbers = [abs(number) for number, _ in blocks]
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if twice is not None:
        raise FormulaError.saying("The variable {number} is quantified twice.", number=twice)
    free = sorted({abs(literal) for clause in clauses for literal in clause} - set(numbers))
    quantified = [*((number, False) for number in free), *blocks]  # free ones are existential, as QDIMACS has it
    if not 1 <= len(quantified) <= MOST_VARIABLES:
        raise FormulaError.saying("A formula has 1 to {most} variables.", most=MOST_VARIABLES)
    if not 1 <= len(clauses) <= MOST_CLAUSES:
        raise FormulaError.saying(
            "A formula has 1 to {most} clauses: a formula without clauses is always true.", most=MOST_CLAUSES
        )
    place = {number: index for index, (number, _) in enumerate(quantified, 1)}
    return Formula(
        tuple(is_universal for _, is_universal in quantified),
        tuple(tuple(place[abs(literal)] * (1 if literal > 0 else -1) for literal in clause) for clause in clauses),
    )


def _read_short(text: str) -> tuple[list[tuple[int, bool]], list[list[int]]]:
    prefix, _, matrix = text.partition(":")
    blocks = []
    for word in prefix.split():
        number = whole_number(word[1:])
        if word[0] not in "EA" or not number or number < 1:
            raise FormulaError.saying("{word} is not a quantified variable: write E1 or A2, as in {example}.",
                    word=quoted(word), example="E1 A2: 1 -2, -1 2")  # fmt: skip
        blocks.append((number, word[0] == "A"))
    return blocks, [_literals(clause.split()) for clause in matrix.split(",") if matrix.strip()]


def _read_qdimacs(text: str) -> tuple[list[tuple[int, bool]], list[list[int]]]:
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("c")]
    if not lines or lines[0][:2] != ["p", "cnf"] or len(lines[0]) != 4:
        raise FormulaError.saying(
            "This is not a formula: QDIMACS begins with a line such as {line}; a short text looks like {example}.",
            line="'p cnf 2 1'",
            example="'E1 A2: 1 -2'",
        )
    blocks = []
    words: list[str] = []
    for line in lines[1:]:
        if line[0] not in "ea":
            words += line
            continue
        if line[-1] != "0" or words:
            raise FormulaError.saying(
                "The line {line} does not end with 0, or comes after a clause.", line=quoted(" ".join(line))
            )
        blocks += [(number, line[0] == "a") for number in _literals(line[1:-1])]
    clauses: list[list[int]] = [[]]
    for literal in _literals(words, may_be_zero=True):
        if literal:
            clauses[-1].append(literal)
        else:
            clauses.append([])
    if clauses.pop():
        raise FormulaError.saying("The last clause does not end with 0.")
    if lines[0][3] != str(len(clauses)):
        raise FormulaError.saying("There are {number} clauses, but the first line says {said}.",
                number=len(clauses), said=quoted(lines[0][3]))  # fmt: skip
    return blocks, clauses


def _literals(words: Sequence[str], may_be_zero: bool = False) -> list[int]:
    numbers = [whole_number(word) for word in words]
    wrong = next(
        (word for word, number in zip(words, numbers, strict=True) if number is None or not (number or may_be_zero)),
        None,
    )
    if wrong is not None:
        raise FormulaError.saying(
            "{word} is not a literal: write a variable's number, or -1 for not 1.", word=quoted(wrong)
        )
    return [number for number in numbers if number is not None]


# -------------------------------------------------------------------------------------------- many formulas


def random_formula(random: Random, variables: int, clauses: int, literals: int) -> Formula:
    """A random formula: each number, up to *variables*, *clauses*, and *literals* a clause, is uniform from 1 on."""
    universal = tuple(random.random() < 0.5 for _ in range(random.randint(1, variables)))
    numbers = range(1, len(universal) + 1)
    return Formula(
        universal,
        tuple(
            tuple(
                number * random.choice((1, -1))
                for number in random.sample(numbers, random.randint(1, min(literals, len(numbers))))
            )
            for _ in range(random.randint(1, clauses))
        ),
    )


def every_formula(variables: int, clauses: int) -> Iterator[Formula]:
    """All formulas with up to *variables* variables and *clauses* clauses, by numbers of variables, clauses, literals.

    Clauses are sets of literals; they may repeat, and their order does not matter.
    """
    for count in range(1, variables + 1):
        literals = [sign * number for number in range(1, count + 1) for sign in (1, -1)]
        known = [clause for size in range(1, len(literals) + 1) for clause in itertools.combinations(literals, size)]
        for number in range(1, clauses + 1):
            chosen = sorted(
                itertools.combinations_with_replacement(known, number), key=lambda some: sum(map(len, some))
            )
            for some in chosen:
                for universal in itertools.product((False, True), repeat=count):
                    yield Formula(universal, some)
