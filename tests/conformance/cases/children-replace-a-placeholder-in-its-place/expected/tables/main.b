"id","parent_id","parent_z"
"5","1","2"
