"""The second pricer: every number of a certificate worked out again, from the run's files alone.

It shares no code with what priced them: conditions are read out of the spec's text, DuckDB counts
the rows of the published outcome tables, and formulas are those of a schoolbook over integers and
fractions. `reprice` walks every number of a certificate and says what became of it; a number that
it does not know how to confirm is listed as such, never passed over.

- `paths`: numbers of a document by their path, and what was found of each
- `sheet`: the spec as the run's files have it: rules, wagers, pay-offs
- `tables`: the run's outcome tables in DuckDB; which event settles which row
- `schoolbook`: statistics of a pay table
- `wagers`, `strategies`, `studies`, `printed`: the sections of a certificate
"""

from tasks.reprice.confirm import reprice
from tasks.reprice.paths import Confirmation, Difference

__all__ = ["Confirmation", "Difference", "reprice"]
