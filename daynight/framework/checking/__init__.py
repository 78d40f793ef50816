"""What a mechanic and its parts are refused for when they are made."""
