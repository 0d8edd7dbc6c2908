-- Versions of a row are numbered from now on (portolan.index_history): every history is brought in line with its table when
-- this migration's code is followed.
update portolan.versioned_tables set seen = '';
