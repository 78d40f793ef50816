"""The recorded games and the programs of examples/, held to what they are said to show."""
