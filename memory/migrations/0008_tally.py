"""How many records an organization with a quota keeps."""

import django.db.models.deletion
from django.db import migrations, models

import orgs.tenancy


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0007_words_in_a_project"),
        ("orgs", "0004_limits"),
    ]

    operations = [
        migrations.CreateModel(
            name="Tally",
            fields=[
                (
                    "organization",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="orgs.organization",
                    ),
                ),
                ("records", models.BigIntegerField()),
                ("counted_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [orgs.tenancy.TenantPolicy(name="tally_of_one_organization")],
            },
        ),
    ]
