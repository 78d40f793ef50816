"""The schemas of answers: types that are never instantiated, for the API description."""
