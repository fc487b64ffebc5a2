"id","parent_id"
"5","1"
