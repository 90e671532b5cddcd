"""What all parts of a certificate are made of: closed models, and numbers that stay exact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema

from engine.exact.rendering import document
from engine.exact.roots import Real, read


class Model(BaseModel):
    """Frozen, and closed to unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def _integer(value: Any) -> Any:
    return int(value) if isinstance(value, str) else value


#: An integer; beyond 2^53 its digits as text.
Count = Annotated[
    int,
    BeforeValidator(_integer),
    PlainSerializer(document, return_type=Any),
    WithJsonSchema(
        {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^-?[0-9]{16,}$"}]}
    ),
]
RuleValue = int | str
Values = Mapping[str, RuleValue]
#: A rational as text, such as ``61/2000``.
Text = Annotated[str, Field(pattern=r"^-?[0-9]+(/[0-9]+)?$")]


class Exact(Model):
    """A number: exactly (``61/2000``, or ``sqrt(3/4)`` for a square root), and in decimals."""

    exact: str = Field(pattern=r"^-?([0-9]+(/[0-9]+)?|sqrt\([0-9]+(/[0-9]+)?\))$")
    decimal: str = Field(pattern=r"^-?[0-9]+\.[0-9]+$")

    @property
    def value(self) -> Real:
        """The number itself."""
        return read(self.exact)
