"""Reads beside the verbs: lists, counts, conflicts, one record and what is around it; each through the lens."""
