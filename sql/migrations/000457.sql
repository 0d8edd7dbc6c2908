-- Histories of before leave ranges with a function of somebody's out of ANALYZE (spare_ranges): each is looked at again, and what
-- ANALYZE has found is as it is.
update portolan.versioned_tables set seen = '' where active;
