"""Punto Banco by symmetry: by point values alone, or by ranks and patterns of suits."""
