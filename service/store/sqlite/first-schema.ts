/**
 * The first step of the schema. Times are milliseconds since 1970, secrets are SHA-256 in hexadecimal, `…_json` contains
 * JSON: in the later steps too.
 */
export const FIRST_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL UNIQUE,
  enabled_json TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE credentials (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces(id),
  hash TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX credentials_of_workspace ON credentials(workspace_id);

CREATE TABLE customers (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces(id),
  external_id TEXT NOT NULL,
  email TEXT,
  display_name TEXT,
  attributes_json TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (workspace_id, external_id)
) STRICT;

CREATE TABLE selections (
  customer_id TEXT NOT NULL REFERENCES customers(id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  route_json TEXT NOT NULL,
  locale TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (customer_id, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces(id),
  customer_id TEXT NOT NULL REFERENCES customers(id),
  status TEXT NOT NULL CHECK (status IN ('open', 'ended')),
  subject TEXT,
  route_json TEXT NOT NULL,
  locale TEXT,
  last_seq INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  preview TEXT NOT NULL DEFAULT '',
  handoff_id TEXT,
  handoff_status TEXT CHECK (handoff_status IN ('requested', 'accepted', 'returned', 'failed')),
  waiting_since INTEGER,
  taken_by TEXT,
  taken_by_name TEXT
) STRICT;
CREATE INDEX conversations_of_customer ON conversations(customer_id);
CREATE INDEX conversations_of_workspace ON conversations(workspace_id, status, handoff_status, last_at);

CREATE TABLE events (
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  data_json TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE message_keys (
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  author TEXT NOT NULL,
  client_message_id TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  seq INTEGER NOT NULL,
  answer_id TEXT,
  PRIMARY KEY (conversation_id, author, client_message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE pending_answers (
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  turn_seq INTEGER NOT NULL,
  answer_id TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (conversation_id, turn_seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE handoffs (
  id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  adapter TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  current_intent TEXT,
  transcript TEXT,
  requested_at INTEGER NOT NULL,
  accepted_at INTEGER,
  closed_at INTEGER,
  user_id TEXT,
  user_name TEXT
) STRICT;
CREATE INDEX handoffs_of_conversation ON handoffs(conversation_id);

CREATE TABLE idempotency (
  customer_id TEXT NOT NULL REFERENCES customers(id) ON DELETE CASCADE,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  answer_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (customer_id, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency(created_at);

CREATE TABLE desk_users (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces(id),
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('agent', 'admin')),
  created_at INTEGER NOT NULL,
  UNIQUE (workspace_id, email)
) STRICT;

CREATE TABLE desk_sessions (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES desk_users(id) ON DELETE CASCADE,
  csrf_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE desk_setup (
  hash TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces(id),
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE TABLE audit_log (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  user_id TEXT,
  action TEXT NOT NULL,
  target TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_log_of_workspace ON audit_log(workspace_id, at);
`;
