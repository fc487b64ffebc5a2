"id","parent_id","parent_z"
"9","5","2"
