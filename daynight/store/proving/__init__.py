"""Proofs that nothing was changed: chain, keys, signatures, proofs, archives."""
