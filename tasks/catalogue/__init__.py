"""All certificates of a store as flat tables for SQL and BI tools."""
