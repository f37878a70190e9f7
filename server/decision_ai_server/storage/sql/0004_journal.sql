CREATE TABLE journal (
    session_id VARCHAR(64) NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    kind VARCHAR(64) NOT NULL,
    payload TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, seq),
    FOREIGN KEY (session_id) REFERENCES chat_sessions (id) ON DELETE CASCADE
);
