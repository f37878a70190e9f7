CREATE TABLE branches (
    session_id VARCHAR(64) NOT NULL,
    name VARCHAR(64) NOT NULL,
    tip VARCHAR(64) NOT NULL,
    PRIMARY KEY (session_id, name),
    FOREIGN KEY (session_id) REFERENCES chat_sessions (id) ON DELETE CASCADE
);

INSERT INTO branches (session_id, name, tip) SELECT id, 'main', head FROM chat_sessions;

ALTER TABLE chat_sessions ADD COLUMN branch VARCHAR(64) DEFAULT 'main' NOT NULL;

ALTER TABLE versions ADD COLUMN incompatible TEXT DEFAULT '[]' NOT NULL;
