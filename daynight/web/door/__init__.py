"""What stands between the network and an answer: who may come in, and what every answer carries."""
