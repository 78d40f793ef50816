"""What is asked of the result of an audit."""
