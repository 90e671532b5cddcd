"""What is wrong with a file's data, in words of our own: key, value, and what is expected there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from engine.exact.errors import nearest
from engine.exact.rendering import exact

Path = tuple[int | str, ...]
_LETTERS = "small letters, digits"
#: Kind of a fault, as pydantic calls it → what is expected.
_EXPECTED = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "tuple_type": "a list in [ ]",
    "mapping_type": "a table in { }",
    "dict_type": "a table in { }",
    "model_type": "a table in { }",
    "model_attributes_type": "a table in { }",
    "too_short": "one entry or more",
}
#: Pattern of a name → what it may hold.
_PATTERNS = {
    r"^[a-z0-9][a-z0-9 _.-]*$": f"{_LETTERS}, spaces and _ . -, beginning with a letter or digit",
    r"^[a-z][a-z0-9_]*$": f"{_LETTERS} and _, beginning with a letter",
}
_KEYS = ("missing", "extra_forbidden")
#: Characters that an error shows of a value.
_LONG = 60


def message(details: Sequence[ErrorDetails], raw: Any, model: type[BaseModel]) -> str:
    """Tell the first fault of some data in one line, unknown keys before anything else.

    `details`: what pydantic found; `raw`: the data that it was given, for `model`.
    """
    faults = [(_steps(fault, raw), fault) for fault in details]
    faults.sort(key=lambda fault: fault[1]["type"] != "extra_forbidden")
    path = faults[0][0]
    # Where a value may be of several kinds, its faults as the kind that it is lie deepest.
    path, first = max(
        (fault for fault in faults if fault[0][: len(path)] == path), key=lambda f: len(f[0])
    )
    path_text = _place(path, raw)
    if first["type"] == "extra_forbidden":
        return f"{path_text}: unknown key; {nearest(str(path[-1]), _fields(model, path[:-1]))}"
    if first["type"] == "missing":
        return f"{path_text}: missing; it has to be given"
    expected = dict.fromkeys(_expected(fault) for steps, fault in faults if steps == path)
    return f"{path_text} = {_shown(first['input'])}: {_joined(tuple(expected))}"


def _joined(expected: Sequence[str]) -> str:
    """Join what may be given in place of a value: ``expected a or b``."""
    if len(expected) == 1:
        return expected[0]
    return f"expected {' or '.join(one.removeprefix('expected ') for one in expected)}"


def _expected(fault: ErrorDetails) -> str:
    kind, context = fault["type"], fault.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind == "literal_error":
        words = str(context["expected"]).replace(" or ", ", ").replace("'", "").split(", ")
        return nearest(str(fault["input"]), words)
    if kind == "string_pattern_mismatch":
        return f"expected {_PATTERNS.get(str(context['pattern']), 'another form')}"
    return f"expected {_EXPECTED.get(kind, 'another kind of value')}"


def _shown(value: Any) -> str:
    if isinstance(value, Fraction):
        return exact(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ … }" if value else "{ }"
    if isinstance(value, (list, tuple)):
        return "[ … ]" if value else "[ ]"
    text = repr(value) if isinstance(value, (str, int)) else str(value)
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def _steps(fault: ErrorDetails, raw: Any) -> Path:
    """Keys and indices that lead to a fault; what names a kind of value is left out."""
    steps: list[int | str] = []
    last = len(fault["loc"]) - 1
    for index, step in enumerate(fault["loc"]):
        if isinstance(step, int):
            known = isinstance(raw, (list, tuple)) and step < len(raw)
            raw = raw[step] if known else None
        elif isinstance(raw, dict) and (step in raw or (index == last and fault["type"] in _KEYS)):
            raw = raw.get(step)
        else:
            continue
        steps.append(step)
    return tuple(steps)


def _place(path: Path, raw: Any) -> str:
    words: list[str] = []
    for step in path:
        if isinstance(step, int):
            raw = raw[step] if isinstance(raw, (list, tuple)) and step < len(raw) else None
            name = (raw.get("name") or raw.get("event")) if isinstance(raw, dict) else None
            words[-1] += f"[{name if isinstance(name, str) else step + 1}]"
        else:
            words.append(step)
            raw = raw.get(step) if isinstance(raw, dict) else None
    return ".".join(words)


def _fields(model: type[BaseModel], path: Path) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = model.model_fields
    for step in path:
        if isinstance(step, str) and step in fields:
            inner = _inner(fields[step].annotation)
            fields = inner.model_fields if inner else {}
    return fields


def _inner(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        inner = _inner(part)
        if inner:
            return inner
    return None
