#!/bin/sh
# Run once by the image of PostgreSQL, in an empty data folder: the roles of docs/operating.md, and the portal's database.
set -eu
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 \
    --set owner="$PORTAL_OWNER_PASSWORD" --set application="$PORTAL_PASSWORD" --set backup="$PORTAL_BACKUP_PASSWORD" <<'SQL'
CREATE ROLE portal_owner LOGIN PASSWORD :'owner';
CREATE ROLE portal LOGIN PASSWORD :'application';
CREATE ROLE portal_backup LOGIN BYPASSRLS PASSWORD :'backup';
GRANT pg_read_all_data TO portal_backup;
CREATE DATABASE portal OWNER portal_owner;
ALTER DATABASE portal SET jit = off;
REVOKE CONNECT, TEMPORARY ON DATABASE portal FROM PUBLIC;
GRANT CONNECT ON DATABASE portal TO portal, portal_backup;
SQL
