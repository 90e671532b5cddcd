"""What several commands print: tables, charts, hands, options, progress."""
