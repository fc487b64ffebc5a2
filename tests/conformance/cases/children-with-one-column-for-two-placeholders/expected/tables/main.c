"id","parent_id"
"9","5"
