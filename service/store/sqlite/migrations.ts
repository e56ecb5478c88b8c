import { FIRST_SCHEMA } from "./first-schema.ts";

/** One step of the schema. Steps are only ever added, because existing databases have run the earlier ones. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** An empty password (`''`) means that the owner has not used a link yet. */
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

/** Files are in a folder next to the database, under their ids. An erased conversation leaves only its id. */
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

/** The process with the lease writes the answer; `fence` counts the leases (it used to count attempts). */
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

/** Which source set a trait, if a source did. */
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

/** How large the log of each conversation is. */
const SIZES = `
ALTER TABLE conversations ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE conversations SET bytes = (
  SELECT coalesce(sum(length(CAST(data_json AS BLOB))), 0) FROM events WHERE conversation_id = conversations.id
);
`;

/** The desk's queue, in its order. */
const QUEUES = `
ALTER TABLE conversations ADD COLUMN desk_state TEXT GENERATED ALWAYS AS (
  CASE WHEN status = 'ended' THEN 'ended' WHEN handoff_status = 'requested' THEN 'waiting'
       WHEN handoff_status = 'accepted' THEN 'taken' ELSE 'agent' END) VIRTUAL;
ALTER TABLE conversations ADD COLUMN desk_order INTEGER GENERATED ALWAYS AS (
  CASE WHEN status = 'open' AND handoff_status = 'requested' THEN coalesce(waiting_since, last_at)
       ELSE -last_at END) VIRTUAL;
CREATE INDEX conversations_by_queue ON conversations(workspace_id, desk_state, desk_order, id);
`;

/** Anonymous customers are erased when their time is over, oldest first. */
const AGES = "CREATE INDEX customers_by_age ON customers(updated_at);";

/** Files of anonymous visitors, who together have a smaller quota. */
const VISITORS_FILES = `
ALTER TABLE attachments ADD COLUMN anonymous INTEGER NOT NULL DEFAULT 0;
UPDATE attachments SET anonymous = 1 WHERE conversation_id IN (
  SELECT v.id FROM conversations v JOIN customers c ON c.id = coalesce(v.started_by, v.customer_id)
  WHERE substr(c.external_id, 1, 5) = 'anon_'
);
CREATE INDEX attachments_by_size ON attachments(workspace_id, anonymous, size);
`;

/** The accepted hand-offs of a workspace, newest first, for the usual wait. */
const WAITS = `
ALTER TABLE handoffs ADD COLUMN workspace_id TEXT;
UPDATE handoffs SET workspace_id = (SELECT workspace_id FROM conversations WHERE id = handoffs.conversation_id);
CREATE INDEX handoffs_accepted ON handoffs(workspace_id, adapter, requested_at) WHERE accepted_at IS NOT NULL;
`;

/** Indexes for erasures, which would otherwise read rows of identified customers and of their erased conversations. */
const ERASURES = `
DROP INDEX customers_by_age;
CREATE INDEX customers_by_age ON customers(updated_at) WHERE substr(external_id, 1, 5) = 'anon_';
CREATE INDEX erased_conversations_of_customer ON erased_conversations(customer_id);
`;

/** The addresses for replies, as customers typed them. */
const CONTACTS = "ALTER TABLE customers ADD COLUMN contact_email TEXT;";

/** A customer's conversations in the order of their list. */
const HISTORIES = `
DROP INDEX conversations_of_customer;
CREATE INDEX conversations_of_customer ON conversations(customer_id, started_at, id);
`;

/**
 * How far each person of the team has read, and since when a customer waits for an answer of the team. In a taken
 * conversation the longest wait comes first, then those that wait for nothing, which is what the large number does.
 */
const READS = `
CREATE TABLE desk_reads (
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO desk_reads (conversation_id, user_id, seq)
  SELECT id, taken_by, read_by_human FROM conversations WHERE taken_by IS NOT NULL AND read_by_human > 0;

ALTER TABLE conversations ADD COLUMN customer_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN unanswered_since INTEGER;
UPDATE conversations SET customer_seq = coalesce((
  SELECT max(seq) FROM events WHERE conversation_id = conversations.id
    AND type = 'message.created' AND data_json ->> '$.message.role' = 'customer'), 0)
  WHERE status = 'open';
UPDATE conversations SET unanswered_since = (
  SELECT min(at) FROM events e WHERE e.conversation_id = conversations.id
    AND (e.type = 'handoff.requested'
      OR e.type = 'message.created' AND e.data_json ->> '$.message.role' = 'customer')
    AND e.seq > coalesce((SELECT max(seq) FROM events h WHERE h.conversation_id = conversations.id
      AND h.type = 'message.created' AND h.data_json ->> '$.message.role' IN ('human', 'agent')), 0))
  WHERE status = 'open' AND handoff_status IN ('requested', 'accepted');

DROP INDEX conversations_by_queue;
ALTER TABLE conversations DROP COLUMN desk_order;
ALTER TABLE conversations ADD COLUMN desk_order INTEGER GENERATED ALWAYS AS (
  CASE WHEN status = 'open' AND handoff_status = 'requested' THEN coalesce(waiting_since, last_at)
       WHEN status = 'open' AND handoff_status = 'accepted' THEN coalesce(unanswered_since, 1000000000000000 - last_at)
       ELSE -last_at END) VIRTUAL;
CREATE INDEX conversations_by_queue ON conversations(workspace_id, desk_state, desk_order, id);
`;

/** What people of the team typed about a customer. */
const TEAM_FACTS = `
ALTER TABLE customers ADD COLUMN team_name TEXT;
ALTER TABLE customers ADD COLUMN team_email TEXT;
`;

/** The page's path and the browser in which a conversation was started. */
const STARTS = `
ALTER TABLE conversations ADD COLUMN started_page TEXT;
ALTER TABLE conversations ADD COLUMN started_browser TEXT;
`;

/**
 * When a person first replied to each hand-off, for the usual wait. Of earlier hand-offs only those that a median counts
 * are looked up, because each look reads a conversation. One who joined unasked was not waited for.
 */
const REPLIES = `
ALTER TABLE handoffs ADD COLUMN replied_at INTEGER;
UPDATE handoffs SET replied_at = (
  SELECT min(at) FROM events e WHERE e.conversation_id = handoffs.conversation_id
    AND e.type = 'message.created' AND e.data_json ->> '$.message.role' = 'human'
    AND e.at >= requested_at AND e.at <= coalesce(closed_at, e.at))
  WHERE id IN (SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY workspace_id, adapter ORDER BY requested_at DESC) AS place
    FROM handoffs WHERE accepted_at > requested_at) WHERE place <= 50);
DROP INDEX handoffs_accepted;
CREATE INDEX handoffs_replied ON handoffs(workspace_id, adapter, requested_at) WHERE replied_at IS NOT NULL;
`;

/** What agents asked to do. A row in the state 'running' exists before its tool is called, which is at most once. */
const ACTIONS = `
CREATE TABLE actions (
  id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  tool TEXT NOT NULL,
  definition TEXT NOT NULL,
  title TEXT NOT NULL,
  arguments_json TEXT NOT NULL,
  input_json TEXT NOT NULL,
  confirm TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'requested',
  approved INTEGER,
  answered_by TEXT,
  owner TEXT,
  leased_until INTEGER,
  result_text TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX actions_of_conversation ON actions(conversation_id, seq);
CREATE INDEX actions_open ON actions(state, seq) WHERE state IN ('requested', 'running');
`;

/** What agents' answers were made of, for the desk. */
const ANSWER_NOTES = `
CREATE TABLE answer_notes (
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  made_json TEXT NOT NULL,
  PRIMARY KEY (conversation_id, seq)
) STRICT, WITHOUT ROWID;
`;

/** What customers say of agents' answers. */
const ANSWER_FEEDBACK = `
CREATE TABLE answer_feedback (
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  score TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, seq)
) STRICT, WITHOUT ROWID;
`;

/** The open actions that a person of the team decides about, for the desk's rows. */
const DECISIONS = `
CREATE INDEX actions_to_decide ON actions(confirm, conversation_id, seq, at) WHERE state = 'requested';
`;

/** Only the audit log still knows an erased customer, whose page at the desk says so. */
const ERASED_CUSTOMERS =
  "CREATE INDEX audit_log_of_erased_customers ON audit_log(target) WHERE action = 'customer.erased';";

/** Only the audit log still knows a conversation that was erased with its customer. */
const ERASED_WITH_CUSTOMERS = `
CREATE INDEX audit_log_of_erased_conversations ON audit_log(target)
  WHERE action = 'conversation.erased_with_customer';
`;

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "the first schema", sql: FIRST_SCHEMA },
  { version: 2, name: "people of the desk", sql: PEOPLE },
  { version: 3, name: "files, ratings, read positions, erased conversations", sql: FILES },
  { version: 4, name: "customers who prove themselves in a conversation", sql: LINKS },
  { version: 5, name: "leases on answers", sql: LEASES },
  { version: 6, name: "targets of hand-offs", sql: TARGETS },
  { version: 7, name: "where traits are from", sql: ORIGINS },
  { version: 8, name: "anonymous starters of linked conversations", sql: STARTERS },
  { version: 9, name: "sizes of conversations", sql: SIZES },
  { version: 10, name: "the queue of the desk", sql: QUEUES },
  { version: 11, name: "ages of customers", sql: AGES },
  { version: 12, name: "files of anonymous visitors", sql: VISITORS_FILES },
  { version: 13, name: "waits of a workspace", sql: WAITS },
  { version: 14, name: "what erasures search", sql: ERASURES },
  { version: 15, name: "addresses that customers typed", sql: CONTACTS },
  { version: 16, name: "the order of a customer's conversations", sql: HISTORIES },
  { version: 17, name: "what each person has read, and who waits for an answer", sql: READS },
  { version: 18, name: "what the team types about customers", sql: TEAM_FACTS },
  { version: 19, name: "where conversations were started", sql: STARTS },
  { version: 20, name: "first replies to hand-offs", sql: REPLIES },
  { version: 21, name: "actions of agents", sql: ACTIONS },
  { version: 22, name: "notes on answers", sql: ANSWER_NOTES },
  { version: 23, name: "feedback on answers", sql: ANSWER_FEEDBACK },
  { version: 24, name: "actions to decide about", sql: DECISIONS },
  { version: 25, name: "erased customers", sql: ERASED_CUSTOMERS },
  { version: 26, name: "conversations erased with customers", sql: ERASED_WITH_CUSTOMERS },
];
