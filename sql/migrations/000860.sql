-- Several styles of a relation, each with a name. Those before are its style `default`.
alter table portolan.styles
  add column name text not null default 'default'
    constraint styles_name_is_legal check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$'),
  add column title text
    constraint styles_title_fits check (length(title) between 1 and 200),
  -- whether it is drawn where a request names none; where no row says so, that is the one called `default`
  add column is_default boolean not null default false,
  drop constraint styles_pkey,
  add constraint styles_pkey primary key (relation, name);
create unique index styles_one_default on portolan.styles (relation) where is_default;

-- they take the name of a style
drop function if exists portolan.set_style(regclass, jsonb);
drop function if exists portolan.style_of(regclass);
