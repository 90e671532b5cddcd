"""The certificate's JSON Schema as it is shipped.

``python -m tasks.certificate.schema`` writes it anew.
"""

from __future__ import annotations

import json
from pathlib import Path

from tasks.certificate.model import schema

#: Where a checkout keeps it.
SHIPPED = Path(__file__).parents[2] / "data" / "schema" / "certificate.json"


if __name__ == "__main__":
    SHIPPED.parent.mkdir(parents=True, exist_ok=True)
    SHIPPED.write_text(json.dumps(schema(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(SHIPPED)
