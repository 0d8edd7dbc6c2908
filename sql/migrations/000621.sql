-- Rules that let only sessions with a second factor act as they say; others they deny.
alter table portolan.rules
  add column mfa boolean not null default false,
  add constraint rules_mfa_is_not_for_deny check (not (mfa and access = 'deny'));
alter table portolan.rule_map add column mfa boolean not null default false;
