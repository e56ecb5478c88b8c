/** One step of the schema. Steps are only ever added: a database in the field has run the earlier ones. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Times are milliseconds since 1970, secrets are SHA-256 in hexadecimal, `…_json` holds JSON. */
const FIRST = `
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

/** An account without a password (`''`) is one whose owner has not used a link yet. */
const PEOPLE = `
ALTER TABLE desk_users ADD COLUMN disabled_at INTEGER;

CREATE TABLE desk_links (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL UNIQUE REFERENCES desk_users(id) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('invite', 'reset')),
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX desk_sessions_of_user ON desk_sessions(user_id);
`;

/** Files are in a folder beside the database, under their ids. Of an erased conversation only the id stays. */
const FILES = `
CREATE TABLE attachments (
  id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  workspace_id TEXT NOT NULL REFERENCES workspaces(id),
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  message_seq INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attachments_of_conversation ON attachments(conversation_id);
CREATE INDEX attachments_of_workspace ON attachments(workspace_id, size);
CREATE INDEX attachments_unsent ON attachments(created_at) WHERE message_seq IS NULL;

CREATE TABLE erased_conversations (
  id TEXT PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers(id) ON DELETE CASCADE,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE conversations ADD COLUMN rating_json TEXT;
ALTER TABLE conversations ADD COLUMN read_by_customer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN read_by_human INTEGER NOT NULL DEFAULT 0;
`;

/** A visitor was identified in the middle of a conversation: messages after `linked_seq` are that customer's. */
const LINKS = `
ALTER TABLE conversations ADD COLUMN linked_to TEXT;
ALTER TABLE conversations ADD COLUMN linked_seq INTEGER;
`;

/** An answer is written by the process that leases it; `fence` counts the leases, and was the number of attempts before. */
const LEASES = `
ALTER TABLE pending_answers RENAME COLUMN attempts TO fence;
ALTER TABLE pending_answers ADD COLUMN owner TEXT;
ALTER TABLE pending_answers ADD COLUMN leased_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pending_answers ADD COLUMN partial_json TEXT;
`;

/** A hand-off's id at its target, by which the target's own calls find the conversation. */
const TARGETS = `
ALTER TABLE handoffs ADD COLUMN target TEXT;
CREATE INDEX handoffs_by_target ON handoffs(adapter, target) WHERE target IS NOT NULL;
`;

/** Where a trait is from, where a source has set it. */
const ORIGINS = `
CREATE TABLE trait_origins (
  customer_id TEXT NOT NULL REFERENCES customers(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  at INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  PRIMARY KEY (customer_id, name)
) STRICT, WITHOUT ROWID;
`;

/** The anonymous visitor who started a conversation that a customer owns now. */
const STARTERS = `
ALTER TABLE conversations ADD COLUMN started_by TEXT REFERENCES customers(id) ON DELETE SET NULL;
CREATE INDEX conversations_by_starter ON conversations(started_by) WHERE started_by IS NOT NULL;
`;

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "the first schema", sql: FIRST },
  { version: 2, name: "people of the desk", sql: PEOPLE },
  { version: 3, name: "files, ratings, read positions, erased conversations", sql: FILES },
  { version: 4, name: "customers who prove themselves in a conversation", sql: LINKS },
  { version: 5, name: "leases on answers", sql: LEASES },
  { version: 6, name: "targets of hand-offs", sql: TARGETS },
  { version: 7, name: "where traits are from", sql: ORIGINS },
  { version: 8, name: "anonymous starters of linked conversations", sql: STARTERS },
];
