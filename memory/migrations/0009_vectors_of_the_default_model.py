"""An index of vectors belongs to one model and its dimensions. For another than the default: manage.py index_vectors."""

from django.db import migrations

INDEX = """
CREATE INDEX memory_vectors_of_usem3_centred_512 ON memory_embedding
USING hnsw ((vector::halfvec(512)) halfvec_cosine_ops) WHERE model = 'usem3-centred'
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0008_tally")]

    operations = [migrations.RunSQL(INDEX, "DROP INDEX memory_vectors_of_usem3_centred_512")]
