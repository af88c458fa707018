"""What every call asks first, as functions: inside one PostgreSQL keeps the plan, which costs more than the answer.

They run with the rights of whoever calls, behind row-level security, and filter on the organization besides.
"""

from django.db import migrations

STANDING = """
CREATE TYPE orgs_standing AS (
    organization_id uuid, user_id uuid, role text, department_id uuid, above uuid[], is_active boolean,
    suspended_at timestamptz, ends_at timestamptz,
    default_visibility_of_people text, greatest_visibility_of_keys text
);

CREATE FUNCTION orgs_standing_of_member(organization uuid, person uuid) RETURNS SETOF orgs_standing
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT m.organization_id, m.user_id, m.role::text, m.department_id, coalesce(d.ancestors, '{}'), u.is_active,
           m.suspended_at, m.ends_at, o.default_visibility_of_people::text, o.greatest_visibility_of_keys::text
      FROM public.orgs_membership m
      JOIN public.orgs_user u ON u.id = m.user_id
      JOIN public.orgs_organization o ON o.id = m.organization_id
      LEFT JOIN public.orgs_department d ON d.organization_id = m.organization_id AND d.id = m.department_id
     WHERE m.organization_id = organization AND m.user_id = person;
END $$;

CREATE FUNCTION orgs_standing_of_key(organization uuid, key uuid) RETURNS TABLE (
    organization_id uuid, user_id uuid, role text, department_id uuid, above uuid[], is_active boolean,
    suspended_at timestamptz, ends_at timestamptz,
    default_visibility_of_people text, greatest_visibility_of_keys text,
    id uuid, digest text, project_id uuid, actions text[], every_workspace boolean, workspaces text[],
    default_visibility text, greatest_visibility text, reads_organization boolean, allowed_networks text[],
    expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz
) LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT m.organization_id, m.user_id, m.role::text, m.department_id, coalesce(d.ancestors, '{}'), u.is_active,
           m.suspended_at, m.ends_at, o.default_visibility_of_people::text, o.greatest_visibility_of_keys::text,
           k.id, k.digest::text, k.project_id, k.actions::text[], k.every_workspace, k.workspaces::text[],
           k.default_visibility::text, k.greatest_visibility::text, k.reads_organization,
           k.allowed_networks::text[], k.expires_at, k.revoked_at, k.last_used_at
      FROM public.orgs_apikey k
      JOIN public.orgs_membership m ON m.organization_id = k.organization_id AND m.id = k.owner_id
      JOIN public.orgs_user u ON u.id = m.user_id
      JOIN public.orgs_organization o ON o.id = k.organization_id
      LEFT JOIN public.orgs_department d ON d.organization_id = m.organization_id AND d.id = m.department_id
     WHERE k.organization_id = organization AND k.id = key;
END $$;

CREATE FUNCTION orgs_granted(organization uuid, person uuid, departments uuid[], project uuid)
RETURNS TABLE (project_id uuid, codename text)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT g.content_object_id, p.codename::text
      FROM (SELECT u.content_object_id, u.permission_id FROM public.orgs_membergrant u
             WHERE u.organization_id = organization AND u.user_id = person
             UNION
            SELECT d.content_object_id, d.permission_id FROM public.orgs_departmentgrant d
             WHERE d.organization_id = organization AND d.group_id = ANY(departments)) g
      JOIN public.auth_permission p ON p.id = g.permission_id
     WHERE project IS NULL OR g.content_object_id = project;
END $$;
"""
NO_STANDING = """
DROP FUNCTION orgs_granted(uuid, uuid, uuid[], uuid);
DROP FUNCTION orgs_standing_of_key(uuid, uuid);
DROP FUNCTION orgs_standing_of_member(uuid, uuid);
DROP TYPE orgs_standing;
"""


class Migration(migrations.Migration):
    dependencies = [("orgs", "0002_guards"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [migrations.RunSQL(STANDING, NO_STANDING)]
