-- The two roles of a Palimpsest database, what each may do, and the extension it needs.
-- Run by a superuser on the database itself, as often as one likes: psql -v ON_ERROR_STOP=1 -f roles.sql DATABASE
-- On a server reached over the network, give both roles passwords afterwards: \password palimpsest_app

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'palimpsest_owner') THEN
        CREATE ROLE palimpsest_owner;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'palimpsest_app') THEN
        CREATE ROLE palimpsest_app;
    END IF;
END
$$;

-- The owner makes tables and runs migrations. The app role serves: row-level security holds for it and for nobody else.
ALTER ROLE palimpsest_owner LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE palimpsest_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
ALTER ROLE palimpsest_app SET statement_timeout = '60s'; -- no question holds a thread for ever
ALTER ROLE palimpsest_app SET random_page_cost = 1.1; -- what is asked often is in memory, or on a disk without arms
ALTER ROLE palimpsest_app SET jit = off; -- it takes longer than our questions do

DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I OWNER TO palimpsest_owner', current_database());
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO palimpsest_app', current_database());
END
$$;

ALTER SCHEMA public OWNER TO palimpsest_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO palimpsest_app;

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

-- The index of vectors goes on until enough of what it finds may be shown, rather than give less.
ALTER ROLE palimpsest_app SET hnsw.iterative_scan = 'relaxed_order';
ALTER ROLE palimpsest_app SET hnsw.ef_search = 100;

-- Row-level security keeps an operator that could tell of hidden rows away from their index, unless it is known to be
-- silent. The match of words is: it raises nothing and writes nothing, whatever it is given. And it is no cheap one.
ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF COST 5;

-- Whatever the owner makes later, the app role may use and nobody else.
ALTER DEFAULT PRIVILEGES FOR ROLE palimpsest_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO palimpsest_app;
ALTER DEFAULT PRIVILEGES FOR ROLE palimpsest_owner IN SCHEMA public
    GRANT USAGE ON SEQUENCES TO palimpsest_app;
ALTER DEFAULT PRIVILEGES FOR ROLE palimpsest_owner
    REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE palimpsest_owner IN SCHEMA public
    GRANT EXECUTE ON FUNCTIONS TO palimpsest_app;
