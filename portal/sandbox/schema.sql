-- Everything the sandbox knows. Moments are seconds of the sandbox's own clock, except attempts.at (real time).
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE IF NOT EXISTS applications (
    client_id TEXT PRIMARY KEY, type TEXT NOT NULL, name TEXT NOT NULL, client_secret TEXT NOT NULL,
    scopes TEXT NOT NULL, redirect_uris TEXT NOT NULL, tenant_id TEXT, created_at REAL NOT NULL
);

CREATE TABLE IF NOT EXISTS tenants (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, region TEXT NOT NULL, slug_id TEXT NOT NULL,
    organization_id TEXT NOT NULL, created_at REAL NOT NULL
);

-- A grant is one consent of one tenant, or one client-credentials application. Tokens are kept as SHA-256.
-- cell: whose API host takes it, `commercial` or `gov`; empty when it was made at the bare address, which stands for all.
CREATE TABLE IF NOT EXISTS grants (
    id INTEGER PRIMARY KEY AUTOINCREMENT, client_id TEXT NOT NULL, source_id TEXT, tenant_id TEXT, scope TEXT NOT NULL,
    created_at REAL NOT NULL, cell TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS grants_by_source ON grants (client_id, source_id);
CREATE TABLE IF NOT EXISTS codes (
    hash TEXT PRIMARY KEY, client_id TEXT NOT NULL, redirect_uri TEXT NOT NULL, source_id TEXT NOT NULL,
    tenant_id TEXT NOT NULL, scope TEXT NOT NULL, expires_at REAL NOT NULL, used_at REAL,
    cell TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS access_tokens (
    hash TEXT PRIMARY KEY, grant_id INTEGER NOT NULL REFERENCES grants (id), expires_at REAL NOT NULL, revoked_at REAL
);
CREATE INDEX IF NOT EXISTS access_tokens_by_grant ON access_tokens (grant_id);
CREATE TABLE IF NOT EXISTS refresh_tokens (
    hash TEXT PRIMARY KEY, grant_id INTEGER NOT NULL REFERENCES grants (id), first_used_at REAL, revoked_at REAL
);
CREATE INDEX IF NOT EXISTS refresh_tokens_by_grant ON refresh_tokens (grant_id);

-- Every object of the API as it is answered. parent_id: the object it belongs to, such as a response's questionnaire.
-- is_removed: a viewer whose access was taken away; no field of the body says so (platform-api 4.5.3).
CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, tenant_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
    parent_id TEXT, is_removed INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL, UNIQUE (tenant_id, kind, id)
);
CREATE INDEX IF NOT EXISTS objects_by_parent ON objects (tenant_id, kind, parent_id, seq);
CREATE INDEX IF NOT EXISTS objects_by_age ON objects (tenant_id, kind, seq);

-- What was uploaded for an object, and its media type.
CREATE TABLE IF NOT EXISTS uploads (
    tenant_id TEXT NOT NULL, object_id TEXT NOT NULL, mimetype TEXT NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (tenant_id, object_id)
);

-- What the platform does by itself later: the next machine step of a questionnaire, the end of an export.
CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, tenant_id TEXT NOT NULL, kind TEXT NOT NULL, object_id TEXT NOT NULL,
    due_at REAL NOT NULL
);

CREATE TABLE IF NOT EXISTS endpoints (
    id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, url TEXT NOT NULL, event_types TEXT NOT NULL, secret TEXT NOT NULL,
    previous_secret TEXT, previous_until REAL, disabled INTEGER NOT NULL DEFAULT 0, created_at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL, created_at REAL NOT NULL
);
-- Since when every delivery to an endpoint has failed; after five days the platform disables it.
CREATE TABLE IF NOT EXISTS failing_endpoints (endpoint_id TEXT PRIMARY KEY, since REAL NOT NULL);
-- One message on its way to one endpoint. due_at is null when nothing more will be tried.
CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL, endpoint_id TEXT NOT NULL,
    state TEXT NOT NULL, step INTEGER NOT NULL DEFAULT 0, due_at REAL, is_in_flight INTEGER NOT NULL DEFAULT 0,
    UNIQUE (endpoint_id, message_id)
);
CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, delivery_id INTEGER NOT NULL, at REAL NOT NULL, status INTEGER,
    seconds REAL NOT NULL, response TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS attempts_by_delivery ON attempts (delivery_id);

-- What was asked, without query, body or token.
CREATE TABLE IF NOT EXISTS requests (
    n INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER,
    client_id TEXT, source_id TEXT
);
