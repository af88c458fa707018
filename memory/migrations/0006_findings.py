"""What every answer with records asks, as a function: inside one PostgreSQL keeps the plan.

It runs with the rights of whoever calls, behind row-level security, and filters on the organization besides.
"""

from django.db import migrations

FINDINGS = """
CREATE FUNCTION memory_findings(organization uuid, ids uuid[])
RETURNS TABLE (what text, place bigint, one uuid, other uuid, amount float8, word text)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT 'doubt', row_number() OVER (ORDER BY d.created_at DESC, d.id), d.record_id, d.because_id, d.amount,
           CASE WHEN d.refutes THEN 'refutes' ELSE '' END
      FROM public.memory_doubt d
     WHERE d.organization_id = organization AND d.record_id = ANY(ids) AND d.undone_at IS NULL
    UNION ALL
    SELECT 'succession', row_number() OVER (ORDER BY s.at DESC, s.new_id DESC, s.old_id DESC), s.old_id, s.new_id,
           NULL, NULL
      FROM public.memory_succession s
     WHERE s.organization_id = organization AND (s.old_id = ANY(ids) OR s.new_id = ANY(ids)) AND s.undone_at IS NULL
    UNION ALL
    SELECT 'relation', row_number() OVER (ORDER BY r.weight DESC, r.id), r.origin_id, r.target_id, r.weight,
           r.kind::text
      FROM public.memory_relation r
     WHERE r.organization_id = organization AND r.undone_at IS NULL
       AND (r.origin_id = ANY(ids) OR r.target_id = ANY(ids))
    UNION ALL
    SELECT 'derivation', row_number() OVER (ORDER BY d.summary_id, d.place), d.summary_id, d.source_id, NULL, NULL
      FROM public.memory_derivation d
     WHERE d.organization_id = organization AND d.summary_id = ANY(ids);
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0005_kept_names")]

    operations = [migrations.RunSQL(FINDINGS, "DROP FUNCTION memory_findings(uuid, uuid[])")]
