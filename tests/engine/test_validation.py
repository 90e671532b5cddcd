"""One wrong value of each kind in each field of a spec: told in plain words, with its key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ValidationError

from engine.spec import model
from engine.spec.validation import message

#: A value of every kind that TOML has, and of every shape that a field may take.
WRONG: tuple[Any, ...] = (
    True, 7, Fraction(3, 2), date(2020, 2, 3), "Not A Name!", "", (), (1,), ("a", 2), ({},),
    {}, {"min": 1}, {"min": "a", "max": 2},
    {"low": 1}, {"a": ()}, {"a": {}},
)  # fmt: skip
SEAMS = re.compile(
    r"Input|should|valid|String|pattern|pydantic|instance|\btuple|\bdict|\bint\b|\bstr\b|Fraction|"
    r"literal|union|error|Mapping|" + "|".join(
        name for name, kind in vars(model).items()
        if isinstance(kind, type) and issubclass(kind, BaseModel)
    ) + r"|\bis no\b|meant"
)  # fmt: skip


def models(annotation: Any) -> Iterator[type[BaseModel]]:
    """All models below a type, itself included."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        for field in annotation.model_fields.values():
            yield from models(field.annotation)
    for part in get_args(annotation):
        yield from models(part)


FIELDS = [
    (model, name)
    for model in dict.fromkeys((*models(model.SpecFile), *models(model.WagerFile)))
    for name in model.model_fields
]


@pytest.mark.parametrize(
    ("model", "name"), FIELDS, ids=lambda part: getattr(part, "__name__", part)
)
def test_a_wrong_value_is_told_in_plain_words(model: type[BaseModel], name: str) -> None:
    refused = 0
    for value in WRONG:
        data = {name: value}
        try:
            model.model_validate(data)
        except ValidationError as error:
            here = [fault for fault in error.errors() if fault["loc"][:1] == (name,)]
            if not here:
                continue
            refused += 1
            line = message(here, data, model)
            assert "\n" not in line
            assert line.startswith(name), line
            assert not SEAMS.search(line.removeprefix(name).replace(repr(value), "")), line
            assert "another kind" not in line, line
            assert "another form" not in line, line
    assert refused, name


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ({"game": 1}, "game = 1: expected text in quotes"),
        ({"game": "Fu Bacc"}, "game = 'Fu Bacc': expected small letters, digits, spaces and _ . -"),
        ({"rules": ({"name": "a", "value": 1, "allowed": {"min": 1, "max": "b"}, "clause": ""},)},
         "rules[a].allowed.max = 'b': expected a whole number"),
        ({"rules": ({"name": "a", "value": Fraction(3, 2), "allowed": (1,), "clause": ""},)},
         "rules[a].value = 1.5: expected a whole number or text in quotes"),
        ({"rules": ({"name": "a", "value": 1, "allowed": 3, "clause": ""},)},
         "rules[a].allowed = 3: expected a list in [ ] or a table in { }"),
        ({"rules": ({"name": "a", "value": 1, "allowed": {"max": 3}, "clause": ""},)},
         "rules[a].allowed.min: missing; it has to be given"),
        ({"wagers": ()}, "wagers = [ ]: expected one entry or more"),
    ],
)  # fmt: skip
def test_how_it_reads(data: dict[str, Any], line: str) -> None:
    with pytest.raises(ValidationError) as refused:
        model.Spec.model_validate(data)
    faults = [fault for fault in refused.value.errors() if fault["loc"][0] in data]
    assert message(faults, data, model.Spec).startswith(line)
