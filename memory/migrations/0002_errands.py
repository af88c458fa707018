"""Errands of every organization, for the relay: it learns ids and numbers, and nothing of what they are about."""

from django.db import migrations, models

# Row-level security keeps the serving role inside one organization; these functions see past it for one question each.
# Organizations are found by stepping through the index, not by reading every row, and served in random order, so that
# neither a long queue nor a low id comes before the others.
RING = """
CREATE FUNCTION memory_ring_errands(p_kind text, p_now timestamptz, p_until timestamptz, p_each int, p_most int)
RETURNS TABLE (organization_id uuid, id uuid, attempts int)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH RECURSIVE busy (organization_id) AS (
        (SELECT e.organization_id FROM public.memory_errand e WHERE e.kind = p_kind AND e.dead_at IS NULL
            ORDER BY e.organization_id LIMIT 1)
        UNION ALL
        SELECT (SELECT e.organization_id FROM public.memory_errand e WHERE e.kind = p_kind AND e.dead_at IS NULL
            AND e.organization_id > busy.organization_id ORDER BY e.organization_id LIMIT 1)
        FROM busy WHERE busy.organization_id IS NOT NULL
    ), served AS (
        SELECT b.organization_id FROM busy b WHERE b.organization_id IS NOT NULL ORDER BY random()
    ), due AS (
        SELECT next.id FROM served CROSS JOIN LATERAL (
            SELECT e.id FROM public.memory_errand e
            WHERE e.organization_id = served.organization_id AND e.kind = p_kind AND e.dead_at IS NULL
                AND e.due_at <= p_now
            ORDER BY e.due_at LIMIT p_each FOR UPDATE SKIP LOCKED
        ) next
        LIMIT greatest(0, p_most - (
            SELECT count(*) FROM public.memory_errand e WHERE e.kind = p_kind AND e.leased_until > p_now)::int)
    )
    UPDATE public.memory_errand e SET due_at = p_until, leased_until = p_until FROM due WHERE e.id = due.id
    RETURNING e.organization_id, e.id, e.attempts
$$;
"""
TALLY = """
CREATE FUNCTION memory_tally_errands(p_now timestamptz)
RETURNS TABLE (kind text, state text, number bigint, oldest_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT e.kind, s.state, count(*), min(e.created_at)
    FROM public.memory_errand e CROSS JOIN LATERAL (SELECT CASE
        WHEN e.dead_at IS NOT NULL THEN 'dead' WHEN e.leased_until > p_now THEN 'leased' ELSE 'waiting' END) s (state)
    GROUP BY e.kind, s.state
$$;
"""
PURGE = """
CREATE FUNCTION memory_purge_replays(p_before timestamptz, p_most int) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH old AS (
        SELECT r.id FROM public.memory_replay r WHERE r.created_at < p_before
        ORDER BY r.created_at LIMIT p_most FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM public.memory_replay r USING old WHERE r.id = old.id RETURNING 1
    )
    SELECT count(*) FROM gone
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial")]

    operations = [
        migrations.AddField("errand", "tries", models.IntegerField(default=0)),
        migrations.RemoveIndex("errand", "errands_to_run"),
        migrations.AddIndex(
            "errand",
            models.Index(
                fields=["kind", "organization", "due_at"], name="errands_to_run", condition=models.Q(dead_at=None)
            ),
        ),
        migrations.AddIndex(
            "errand",
            models.Index(
                fields=["kind", "leased_until"],
                name="errands_on_their_way",
                condition=models.Q(leased_until__isnull=False),
            ),
        ),
        migrations.AddIndex(
            "errand",
            models.Index(
                fields=["organization", "dead_at"],
                name="errands_given_up",
                condition=models.Q(dead_at__isnull=False),
            ),
        ),
        migrations.RunSQL(RING, "DROP FUNCTION memory_ring_errands(text, timestamptz, timestamptz, int, int)"),
        migrations.RunSQL(TALLY, "DROP FUNCTION memory_tally_errands(timestamptz)"),
        migrations.RunSQL(PURGE, "DROP FUNCTION memory_purge_replays(timestamptz, int)"),
    ]
