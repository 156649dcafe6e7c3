/**
 * The version of everything in the data folder. A newer one than this is refused at start.
 * Raise it with a step in {@link migrations}, never by changing an old step.
 */
export const dataVersion = 5

/** A column that a table is given where it lacks it. */
export interface LackingColumn {
  readonly table: string
  readonly column: string
  readonly is: string
}

/** Step n brings a file of version n to version n + 1; step 0 makes it. Views make their own tables. */
export const migrations: readonly (string | readonly LackingColumn[])[] = [
  `
  CREATE TABLE events (
    -- AUTOINCREMENT: without it SQLite hands out the last number again after a deletion, and a checkpoint
    -- would then hide the new event
    position       INTEGER PRIMARY KEY AUTOINCREMENT,
    stream         TEXT    NOT NULL,
    revision       INTEGER NOT NULL,
    id             TEXT    NOT NULL UNIQUE,
    type           TEXT    NOT NULL,
    schema_version INTEGER NOT NULL,
    occurred_at    TEXT    NOT NULL,
    meta           TEXT    NOT NULL,
    data           TEXT    NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;

  CREATE TABLE view_checkpoints (
    view     TEXT PRIMARY KEY,
    position TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE reactor_checkpoints (
    name     TEXT PRIMARY KEY,
    -- null: at the beginning of the log
    position TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE jobs (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    name         TEXT    NOT NULL,
    data         TEXT    NOT NULL,
    subject_id   TEXT    NOT NULL,
    state        TEXT    NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'parked')),
    attempts     INTEGER NOT NULL DEFAULT 0,
    -- how often the process ended while it ran
    interrupted  INTEGER NOT NULL DEFAULT 0,
    steps_done   INTEGER NOT NULL DEFAULT 0,
    steps_total  INTEGER NOT NULL DEFAULT 0,
    reason       TEXT,
    -- milliseconds since 1970: when a waiting job runs next, when a done one ended
    run_at       INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX jobs_by_turn ON jobs (state, name, run_at, seq);

  CREATE TABLE effects (
    key    TEXT PRIMARY KEY,
    state  TEXT NOT NULL CHECK (state IN ('started', 'done')),
    detail TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE accounts (
    id                TEXT    PRIMARY KEY,
    username          TEXT    NOT NULL,
    username_key      TEXT    NOT NULL UNIQUE,
    email             TEXT,
    first_name        TEXT,
    last_name         TEXT,
    profile_image_url TEXT,
    password_hash     TEXT    NOT NULL,
    first_password    INTEGER NOT NULL,
    created_at        TEXT    NOT NULL,
    updated_at        TEXT    NOT NULL
  ) STRICT;

  CREATE TABLE sessions (
    key          TEXT PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    account_id   TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    expires_at   TEXT NOT NULL,
    device       TEXT NOT NULL,
    address      TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_account ON sessions (account_id, last_seen_at);
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);

  -- Rows are never deleted and never change their size: see key-vault.ts for why.
  CREATE TABLE vault_keys (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    subject_id TEXT    NOT NULL UNIQUE,
    wrapped    BLOB    NOT NULL,
    erased     INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE vault_secret (
    only  INTEGER PRIMARY KEY CHECK (only = 1),
    proof TEXT NOT NULL
  ) STRICT;

  CREATE TABLE idempotency_keys (
    key        TEXT PRIMARY KEY,
    body_hash  TEXT NOT NULL,
    status     INTEGER,
    entity_id  TEXT,
    claimed_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_by_age ON idempotency_keys (claimed_at);
  `,
  `
  -- null: begun before this was kept
  ALTER TABLE sessions ADD COLUMN credential_version TEXT;
  `,
  [
    // Came without a version of its own: some files of version 2 have it.
    { table: 'accounts', column: 'first_steps_away', is: 'INTEGER NOT NULL DEFAULT 0' },
    { table: 'view_checkpoints', column: 'numbered', is: 'INTEGER NOT NULL DEFAULT 0' },
  ],
  `
  -- where documents of the view last changed; it was a view of its own before
  ALTER TABLE view_checkpoints ADD COLUMN changed_at TEXT;
  UPDATE view_checkpoints SET changed_at = position;
  DROP TABLE IF EXISTS "view_view-changes_v1";
  DELETE FROM view_checkpoints WHERE view LIKE 'view-changes%';
  `,
  `
  -- how long a waiting job was to wait until run_at; one of before this was kept is tried at the next start
  ALTER TABLE jobs ADD COLUMN wait_ms INTEGER NOT NULL DEFAULT 0;
  `,
]
