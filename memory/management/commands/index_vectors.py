"""manage.py index_vectors: the index that finds the nearest vectors of the present embedding model."""

import re
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection
from psycopg import sql

LONGEST_NAME = 63


class Command(BaseCommand):
    """Makes the index for EMBEDDINGS_MODEL, unless it is there; writes go on meanwhile."""

    help = "Index the vectors of EMBEDDINGS_MODEL; run it as the owner of the tables after choosing another model."

    def handle(self, **_: Any) -> None:
        """Make it. The name says the model and its dimensions."""
        model, dimensions = settings.EMBEDDINGS_MODEL, settings.EMBEDDINGS_DIMENSIONS
        name = f"memory_vectors_of_{re.sub('[^a-z0-9]+', '_', model.lower())}_{dimensions}"[-LONGEST_NAME:]
        statement = sql.SQL(
            "CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON memory_embedding "
            "USING hnsw ((vector::halfvec({dimensions})) halfvec_cosine_ops) WHERE model = {model}"
        ).format(name=sql.Identifier(name), dimensions=sql.Literal(dimensions), model=sql.Literal(model))
        with connection.cursor() as cursor:
            cursor.execute(statement)
        self.stdout.write(f"{name} is there.")
