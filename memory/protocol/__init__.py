"""The contract with every client: words, shapes, verbs. Pure; everything else is made from it or checked against it."""
