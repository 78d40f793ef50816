"""The rules, clause by clause: a positive and a negative test for each, written from the rule's own sentence."""
