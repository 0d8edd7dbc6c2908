-- Whether an account is a super user was told to anybody by a function of the policy read_methods; sql/triggers/methods.sql
-- makes that policy anew, with one that only tells it of a method.
drop policy if exists read_methods on portolan.methods;
drop function if exists portolan.owned_by_super_user(text);
