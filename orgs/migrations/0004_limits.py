"""The limits of key and organization are read with who is asking: functions beside the former ones, which the
processes of the version before go on calling while this one starts.
"""

from django.db import migrations

STANDING = """
CREATE FUNCTION orgs_limited_standing_of_member(organization uuid, person uuid) RETURNS TABLE (
    organization_id uuid, user_id uuid, role text, department_id uuid, above uuid[], is_active boolean,
    suspended_at timestamptz, ends_at timestamptz,
    default_visibility_of_people text, greatest_visibility_of_keys text,
    calls_per_minute integer, greatest_records bigint
) LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT m.organization_id, m.user_id, m.role::text, m.department_id, coalesce(d.ancestors, '{}'), u.is_active,
           m.suspended_at, m.ends_at, o.default_visibility_of_people::text, o.greatest_visibility_of_keys::text,
           o.calls_per_minute, o.greatest_records
      FROM public.orgs_membership m
      JOIN public.orgs_user u ON u.id = m.user_id
      JOIN public.orgs_organization o ON o.id = m.organization_id
      LEFT JOIN public.orgs_department d ON d.organization_id = m.organization_id AND d.id = m.department_id
     WHERE m.organization_id = organization AND m.user_id = person;
END $$;

CREATE FUNCTION orgs_limited_standing_of_key(organization uuid, key uuid) RETURNS TABLE (
    organization_id uuid, user_id uuid, role text, department_id uuid, above uuid[], is_active boolean,
    suspended_at timestamptz, ends_at timestamptz,
    default_visibility_of_people text, greatest_visibility_of_keys text,
    calls_per_minute integer, greatest_records bigint,
    id uuid, digest text, project_id uuid, actions text[], every_workspace boolean, workspaces text[],
    default_visibility text, greatest_visibility text, reads_organization boolean, allowed_networks text[],
    expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz, calls_per_minute_of_key integer
) LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT m.organization_id, m.user_id, m.role::text, m.department_id, coalesce(d.ancestors, '{}'), u.is_active,
           m.suspended_at, m.ends_at, o.default_visibility_of_people::text, o.greatest_visibility_of_keys::text,
           o.calls_per_minute, o.greatest_records,
           k.id, k.digest::text, k.project_id, k.actions::text[], k.every_workspace, k.workspaces::text[],
           k.default_visibility::text, k.greatest_visibility::text, k.reads_organization,
           k.allowed_networks::text[], k.expires_at, k.revoked_at, k.last_used_at, k.calls_per_minute
      FROM public.orgs_apikey k
      JOIN public.orgs_membership m ON m.organization_id = k.organization_id AND m.id = k.owner_id
      JOIN public.orgs_user u ON u.id = m.user_id
      JOIN public.orgs_organization o ON o.id = k.organization_id
      LEFT JOIN public.orgs_department d ON d.organization_id = m.organization_id AND d.id = m.department_id
     WHERE k.organization_id = organization AND k.id = key;
END $$;
"""
NO_STANDING = """
DROP FUNCTION orgs_limited_standing_of_key(uuid, uuid);
DROP FUNCTION orgs_limited_standing_of_member(uuid, uuid);
"""


class Migration(migrations.Migration):
    dependencies = [("orgs", "0003_standing")]

    operations = [migrations.RunSQL(STANDING, NO_STANDING)]
