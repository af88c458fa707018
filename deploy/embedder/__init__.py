"""Sentence vectors without a network: an OpenAI-compatible `/v1/embeddings` in a process of its own.

It knows nothing of the product. A fault in a model's native code ends this process and no other.
"""

import os

# Before numpy or a model is imported: one thread each, and no spinning while waiting on busy cores.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
