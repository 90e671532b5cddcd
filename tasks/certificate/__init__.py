"""The certificate: its model, its checks, and how it is issued."""
