CREATE TABLE checks (
    session_id VARCHAR(64) NOT NULL,
    seq BIGINT NOT NULL,
    name VARCHAR(64) NOT NULL,
    sentence TEXT NOT NULL,
    code TEXT NOT NULL,
    PRIMARY KEY (session_id, seq),
    UNIQUE (session_id, name),
    FOREIGN KEY (session_id) REFERENCES chat_sessions (id) ON DELETE CASCADE
);
