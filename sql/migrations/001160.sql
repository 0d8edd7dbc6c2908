-- Each history is looked at again: an index whose code is a trusted owner's, or the database owner's, is dropped there.
update portolan.versioned_tables set seen = '';
