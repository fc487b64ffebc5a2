"id","parent_id"
"40","4"
"50","5"
