CREATE TABLE opt_models (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL
);

CREATE TABLE opt_input_data (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL,
    size BIGINT NOT NULL,
    json_data TEXT NOT NULL
);

CREATE TABLE chat_sessions (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    model_id VARCHAR(64) NOT NULL,
    data_id VARCHAR(64) NOT NULL,
    head VARCHAR(64) NOT NULL,
    revision BIGINT NOT NULL,
    reasoning_enabled BOOLEAN,
    FOREIGN KEY (model_id) REFERENCES opt_models (id),
    FOREIGN KEY (data_id) REFERENCES opt_input_data (id)
);

CREATE INDEX chat_sessions_newest ON chat_sessions (created_at, id);

CREATE TABLE versions (
    session_id VARCHAR(64) NOT NULL,
    seq BIGINT NOT NULL,
    id VARCHAR(64) NOT NULL,
    parent VARCHAR(64),
    created_at BIGINT NOT NULL,
    author TEXT NOT NULL,
    approver TEXT NOT NULL,
    sentence TEXT NOT NULL,
    changes TEXT NOT NULL,
    source TEXT NOT NULL,
    data_id VARCHAR(64) NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (session_id, seq),
    UNIQUE (session_id, id),
    FOREIGN KEY (session_id) REFERENCES chat_sessions (id) ON DELETE CASCADE,
    FOREIGN KEY (data_id) REFERENCES opt_input_data (id)
);

CREATE TABLE messages (
    session_id VARCHAR(64) NOT NULL,
    seq BIGINT NOT NULL,
    message_id TEXT NOT NULL,
    kind VARCHAR(64) NOT NULL,
    envelope TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, seq),
    UNIQUE (session_id, message_id),
    FOREIGN KEY (session_id) REFERENCES chat_sessions (id) ON DELETE CASCADE
);
