"""What the offline judge makes of a pair's features: a table of weights. Pure.

Fitted by `tests/quality/conflicts.py` (a softmax regression), which also says how well they do on facts that they
were not fitted to. Closeness is on the scale of the model named here; the vectors of others are not weighed.
"""

from collections.abc import Mapping

CLASSES = ("conflict", "refines", "duplicate", "unrelated", "fixes_issue")
MODEL = "usem3-centred"

WEIGHTS: Mapping[str, tuple[float, float, float, float, float]] = {
    "bias": (1.59, -3.24, 0.82, 4.22, -4.41),
    "closeness": (-0.22, -2.36, 1.86, -1.71, 2.43),
    "very_close": (-1.15, 0.03, 3.50, -2.09, -0.29),
    "longer": (-0.55, -0.16, 0.13, 0.25, 0.33),
    "long": (0.15, -0.55, 0.05, 0.26, 0.09),
    "other_script": (2.49, -0.66, 1.41, -2.27, -0.97),
    "words_shared": (0.10, -0.05, -0.18, 0.27, -0.14),
    "alike": (-0.87, 2.95, -1.24, -0.97, 0.13),
    "old_kept": (2.02, 5.12, -2.80, -4.51, 0.18),
    "new_known": (-0.29, -4.06, 3.42, 1.52, -0.58),
    "left_out": (-0.01, -0.55, 0.64, -0.16, 0.09),
    "added": (-0.59, 1.26, -1.32, 0.38, 0.26),
    "starts_alike": (-0.46, 3.51, -1.78, -0.83, -0.44),
    "numbers_differ": (-0.74, 0.88, -1.11, 0.64, 0.32),
    "number_shared": (-0.29, 1.01, 1.39, -0.81, -1.29),
    "alike_but_other_numbers": (1.83, -1.06, -1.18, 0.56, -0.16),
    "close_but_other_numbers": (3.05, -0.63, -2.68, 0.65, -0.39),
    "denies": (0.73, 0.10, -0.17, -0.41, -0.24),
    "alike_but_denied": (2.57, -1.70, -0.50, -0.35, -0.02),
    "close_but_denied": (0.26, 0.85, -4.18, 1.61, 1.45),
    "close_and_changed": (2.14, -0.97, -0.45, -0.90, 0.18),
    "very_close_and_changed": (-0.48, -3.55, -2.71, 3.48, 3.25),
    "very_close_in_other_words": (3.70, 0.52, -0.93, -0.96, -2.31),
    "mends": (-4.85, 0.04, -1.35, -0.21, 6.37),
    "name_shared": (0.17, -0.10, -0.63, 0.08, 0.48),
    "other_names": (-0.68, 0.03, -0.52, 0.83, 0.35),
    "asks": (0.06, 0.01, -1.36, 1.02, 0.27),
    "both_ask": (0.49, -0.10, -1.18, 0.51, 0.28),
    "has_sides": (0.49, -0.46, -1.59, 1.27, 0.28),
    "same_value": (-2.96, -0.68, 4.89, -2.00, 0.75),
    "same_name_other_value": (3.81, -1.24, -4.05, 1.05, 0.42),
}
