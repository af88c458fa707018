"""Words are looked up within one project: an index over all of them would read every organization's."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import BtreeGinExtension
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_findings")]

    operations = [
        BtreeGinExtension(),
        migrations.RemoveIndex(model_name="record", name="words_of_a_record"),
        migrations.AddIndex(
            model_name="record",
            index=GinIndex(fields=["organization", "project", "words"], name="words_in_a_project"),
        ),
    ]
