-- What a browser said of itself when somebody signed in with it, and from where: to be known again in a list.
alter table portolan.sessions add column agent text, add column address text;
