-- Which Portolan applied it: an older one beside it serves on, and applies nothing.
alter table portolan.code add column version text;
