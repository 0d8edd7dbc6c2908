-- An account may be in several groups. `user_group` stays the first of them, which older gateways read.
alter table portolan.users
  add column further_groups text[] not null default '{}',
  add column user_groups text[] not null
    generated always as (array_remove(array[user_group] || further_groups, null)) stored,
  add constraint users_further_groups check (further_groups = '{}' or user_group is not null),
  add constraint users_groups_are_others check (name <> all (further_groups)),
  -- the account that guest tokens are for
  add column default_user boolean not null default false,
  add constraint users_default_user check (not (default_user and superuser));
create unique index users_one_default_user on portolan.users (default_user) where default_user;

-- Whether the tokens are guest tokens, of everybody who uses the client as the default user.
alter table portolan.token_families add column guest boolean not null default false;
