"""Questions about the result of an audit."""
