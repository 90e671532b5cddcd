"""What all models of a spec have in common: strictness, names, and exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

RuleValue = int | str
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9 _.-]*$")]


def _exact(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, str, Fraction)):
        raise ValueError("expected a number, an expression or a word")
    return value


#: A TOML scalar kept exact: integer, Fraction (from a decimal) or text.
Exact = Annotated[Any, BeforeValidator(_exact)]


class Model(BaseModel):
    """Frozen, strict, and closed to unknown keys."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True
    )
