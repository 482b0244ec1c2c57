-- Who manages an application beside the administrators of its company: whoever made it, until an administrator takes it over.
-- Null: made by an earlier release by somebody that the audit log does not name; administrators manage it.
alter table application add column owner_id int8 references user_account (id) on delete set null;
create index application_owner on application (owner_id);
update application a set owner_id = u.id
from audit_event e join user_account u on u.id = e.actor_id
where e.action = 'application_created' and e.actor_kind = 'user' and e.customer_id = a.customer_id
  and e.detail ->> 'id' = a.id::text and u.customer_id = a.customer_id;

-- Names are compared trimmed and in NFC, without control characters and such as change the direction of writing. Those of
-- earlier releases become so, unless another one is called that already or nothing would be left.
do $$
declare
  plain constant text :=
    $t$normalize(regexp_replace(regexp_replace(name, '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+', ' ', 'g'), '^\s+|\s+$', '', 'g'), nfc)$t$;
  place record;
  kept record;
begin
  if getdatabaseencoding() <> 'UTF8' then
    return;
  end if;
  for place in select * from (values
    ('application', 'true', 'o.customer_id = t.customer_id and lower(o.name) = lower($2)'),
    ('api_key_name', 'true', 'o.customer_id = t.customer_id and lower(o.name) = lower($2)'),
    ('customer', 'true', 'lower(o.name) = lower($2)'),
    ('job', 'deleted_at is null', 'o.customer_id = t.customer_id and o.deleted_at is null and o.name = $2')
  ) as places (name, matters, same) loop
    -- One after the other, since two may become the same.
    for kept in execute format('select id, %s as wanted from %I where %s and name <> %s', plain, place.name, place.matters, plain) loop
      execute format('update %1$I t set name = $2 where id = $1 and $2 <> %3$L and not exists
        (select from %1$I o where %2$s and o.id <> t.id)', place.name, place.same, '') using kept.id, kept.wanted;
    end loop;
  end loop;
end
$$;
