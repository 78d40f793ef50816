"""Drawing: SVG elements, colours, signs, layout."""
