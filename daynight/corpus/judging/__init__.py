"""How the games of a corpus are judged."""
