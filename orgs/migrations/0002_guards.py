"""What only the database can promise: an audit log that nobody edits, and look-ups before a tenant is known."""

from django.db import migrations

# A key, an invitation or a signed-in person has to find its organization before any organization is set.
# Each function answers with ids alone, to one question, and sees past row-level security for nothing else.
LOOK_UPS = """
CREATE FUNCTION orgs_key_named(public_id text) RETURNS TABLE (organization_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT k.organization_id, k.id FROM public.orgs_apikey k WHERE k.public_id = $1
$$;
CREATE FUNCTION orgs_invitation_with(digest text) RETURNS TABLE (organization_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT i.organization_id, i.id FROM public.orgs_invitation i WHERE i.digest = $1
$$;
CREATE FUNCTION orgs_organizations_of(user_id uuid) RETURNS TABLE (organization_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT m.organization_id FROM public.orgs_membership m WHERE m.user_id = $1 ORDER BY m.id
$$;
CREATE FUNCTION orgs_organization_named(slug text) RETURNS TABLE (organization_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT o.id FROM public.orgs_organization o WHERE o.slug = $1
$$;
CREATE FUNCTION orgs_every_organization() RETURNS TABLE (organization_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT o.id FROM public.orgs_organization o ORDER BY o.id
$$;
"""
NO_LOOK_UPS = """
DROP FUNCTION orgs_key_named(text);
DROP FUNCTION orgs_invitation_with(text);
DROP FUNCTION orgs_organizations_of(uuid);
DROP FUNCTION orgs_organization_named(text);
DROP FUNCTION orgs_every_organization();
"""

# The lock lasts to the end of the transaction: whoever writes the audit row writes it last.
# The hashed text is spelled here and, for checking, in orgs/audit_chain.py.
AUDIT = """
CREATE FUNCTION orgs_audit_chain() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE former record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('orgs.audit:' || NEW.organization_id, 0));
    SELECT number, digest INTO former FROM public.orgs_auditevent
        WHERE organization_id = NEW.organization_id ORDER BY number DESC LIMIT 1;
    NEW.number := coalesce(former.number, 0) + 1;
    NEW.previous_digest := coalesce(former.digest, '');
    NEW.digest := encode(sha256(convert_to(array_to_json(ARRAY[
        NEW.previous_digest, NEW.number::text, NEW.id::text, NEW.organization_id::text,
        (extract(epoch FROM NEW.at) * 1000000)::bigint::text, NEW.verb,
        coalesce(NEW.user_id::text, ''), coalesce(NEW.key_id::text, ''), NEW.object_type, NEW.object_id,
        NEW.request_id, NEW.address, NEW.details])::text, 'UTF8')), 'hex');
    RETURN NEW;
END $$;
CREATE TRIGGER orgs_audit_chain BEFORE INSERT ON orgs_auditevent
    FOR EACH ROW EXECUTE FUNCTION orgs_audit_chain();

CREATE FUNCTION orgs_audit_stands() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER') THEN
        RETURN coalesce(NEW, OLD);
    END IF;
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER orgs_audit_stands BEFORE UPDATE OR DELETE ON orgs_auditevent
    FOR EACH ROW EXECUTE FUNCTION orgs_audit_stands();
CREATE TRIGGER orgs_audit_stands_whole BEFORE TRUNCATE ON orgs_auditevent
    FOR EACH STATEMENT EXECUTE FUNCTION orgs_audit_stands();
"""
NO_AUDIT = """
DROP TRIGGER orgs_audit_chain ON orgs_auditevent;
DROP TRIGGER orgs_audit_stands ON orgs_auditevent;
DROP TRIGGER orgs_audit_stands_whole ON orgs_auditevent;
DROP FUNCTION orgs_audit_chain();
DROP FUNCTION orgs_audit_stands();
"""


class Migration(migrations.Migration):
    dependencies = [("orgs", "0001_initial")]

    operations = [
        migrations.RunSQL(LOOK_UPS, NO_LOOK_UPS),
        migrations.RunSQL(AUDIT, NO_AUDIT),
    ]
