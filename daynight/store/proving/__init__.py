"""What proves that nothing was changed: chain, keys, signatures, proofs, archives."""
