"""An independent, deliberately plain implementation of the record's contract, for comparison with daynight."""
