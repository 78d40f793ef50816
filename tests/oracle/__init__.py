"""An independent, deliberately plain reading of the record's contract, to hold the product against."""
