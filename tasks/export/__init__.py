"""A certificate for other desks: the PAR sheet as a workbook, and every table as CSV."""

from tasks.export.tables import write_csv
from tasks.export.workbook import workbook

__all__ = ["workbook", "write_csv"]
