"""The ids that answers kept for replay hold, so that what is forgotten is found in them by an index."""

import django.db.models.deletion
from django.db import migrations, models

import orgs.tenancy

# Of answers from before: whose record is live, its caller is taken to have seen.
NAMES = r"""
INSERT INTO memory_keptname (organization_id, replay_id, named, seen)
SELECT r.organization_id, r.id, f.id::uuid, EXISTS (
    SELECT FROM memory_record m
    WHERE m.organization_id = r.organization_id AND m.id = f.id::uuid AND m.forgotten_at IS NULL
)
FROM memory_replay r CROSS JOIN LATERAL (
    SELECT DISTINCT (regexp_matches(
        r.answer::text, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g'
    ))[1]
) f (id)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0004_sizes"),
        ("orgs", "0003_standing"),
    ]

    operations = [
        migrations.CreateModel(
            name="KeptName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("named", models.UUIDField()),
                ("seen", models.BooleanField()),
            ],
        ),
        migrations.AddConstraint(
            model_name="replay",
            constraint=models.UniqueConstraint(
                fields=("organization", "id"), name="one_replay_per_organization_and_id"
            ),
        ),
        migrations.AddField(
            model_name="keptname",
            name="organization",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="orgs.organization"
            ),
        ),
        migrations.AddField(
            model_name="keptname",
            name="replay",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="names",
                to="memory.replay",
            ),
        ),
        migrations.AddIndex(
            model_name="keptname",
            index=models.Index(fields=["organization", "named"], name="answers_that_name"),
        ),
        migrations.AddConstraint(
            model_name="keptname",
            constraint=orgs.tenancy.TenantPolicy(name="kept_name_of_one_organization"),
        ),
        migrations.AddConstraint(
            model_name="keptname",
            constraint=orgs.tenancy.SameOrganization(
                cascades=True, field="replay", name="kept_name_in_replay_of_organization"
            ),
        ),
        migrations.AddConstraint(
            model_name="keptname",
            constraint=models.UniqueConstraint(
                fields=("organization", "replay", "named"), name="one_kept_name_per_answer"
            ),
        ),
        migrations.RunSQL(NAMES, migrations.RunSQL.noop),
    ]
