"id","parent_id"
"40","4"
