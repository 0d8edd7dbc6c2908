-- Comments on rows of tables. Row security shows one to the accounts that may read its row.
create table portolan.row_comments (
  id bigint generated always as identity primary key,
  relation regclass not null,
  -- the text that every interface uses: see key_text
  key text not null,
  body text not null
    constraint row_comments_body_fits check (length(body) between 1 and 10000),
  -- null: the operator, or an account that has been removed
  author text references portolan.users (name) on update cascade on delete set null,
  created_at timestamptz not null default now(),
  changed_at timestamptz
);
create index row_comments_of_row on portolan.row_comments (relation, key, id);
create index row_comments_of_table on portolan.row_comments (relation, id);
create index row_comments_author on portolan.row_comments (author);
alter table portolan.row_comments enable row level security;
