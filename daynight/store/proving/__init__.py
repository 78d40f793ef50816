"""Proofs that stored events were not changed: chain, keys, signatures, proofs, archives."""
