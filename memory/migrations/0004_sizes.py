"""How many tokens a record's content takes. Null in rows from before: a pack counts those when it meets them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0003_protocol")]

    operations = [
        migrations.AddField(
            model_name="record",
            name="tokens",
            field=models.PositiveIntegerField(help_text="As counted by tokens.count_below; null: not yet.", null=True),
        ),
    ]
