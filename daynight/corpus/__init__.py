"""The corpus: many recorded games as Parquet, audited and counted together."""
